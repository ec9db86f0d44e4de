import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readlink, rm, symlink } from "node:fs/promises";
import { join } from "node:path";

import { debianPackages } from "./debian-packages.js";

/** What DynamoDB Local needs. */
const OLDEST = 17;
const PACKAGE = "openjdk-17-jre-headless";
const SETTINGS = "/etc/java-17-openjdk/";

/** The machine's Java, else Debian's beside the system; undefined where neither is to be had. */
export async function javaCommand(): Promise<string | undefined> {
  const home = process.env["JAVA_HOME"];
  const candidates = [...(home ? [join(home, "bin", "java")] : []), "java"];
  return candidates.find(isNewEnough) ?? (await debianJava());
}

function isNewEnough(command: string): boolean {
  const { status, stderr } = spawnSync(command, ["-version"], { encoding: "utf8" });
  return status === 0 && Number(/version "(\d+)/.exec(stderr)?.[1]) >= OLDEST;
}

async function debianJava(): Promise<string | undefined> {
  if (process.platform !== "linux" || !existsSync("/etc/debian_version")) return undefined;
  try {
    const folder = await debianPackages("java", [PACKAGE], { prepare: linkSettings });
    const machines = join(folder, "usr/lib/jvm");
    const names = (await readdir(machines)).filter((name) => name.startsWith("java-"));
    return names.map((name) => join(machines, name, "bin", "java")).find(isNewEnough);
  } catch (error) {
    console.warn(`Debian's ${PACKAGE} cannot be had: ${String(error)}`);
    return undefined;
  }
}

/** Its settings are links to where they would be if it were installed. */
async function linkSettings(folder: string, cache: string): Promise<void> {
  for (const entry of await readdir(join(folder, "usr/lib/jvm"), { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const target = await readlink(path);
    if (!target.startsWith(SETTINGS)) continue;
    await rm(path);
    await symlink(join(cache, target), path);
  }
}
