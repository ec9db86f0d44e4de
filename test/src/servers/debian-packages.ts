import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

const TOOLS = fileURLToPath(new URL("../../../.tools/", import.meta.url));
const APT = "/etc/apt";

export interface DebianOptions {
  /** Default: the machine's own. */
  release?: string;
  /** What is to be done to the folder before it is used. */
  prepare?: (folder: string, cache: string) => Promise<void>;
}

/** Packages of Debian, unpacked in a folder beside the system's, never over them. The folder is kept. */
export async function debianPackages(
  name: string,
  packages: readonly string[],
  options: DebianOptions = {},
): Promise<string> {
  const cache = join(TOOLS, `${name}-${process.arch}`);
  if (!existsSync(cache)) await download(cache, packages, options);
  return cache;
}

/** Whoever is first puts the folder in its place. */
async function download(
  cache: string,
  wanted: readonly string[],
  { release, prepare }: DebianOptions,
): Promise<void> {
  await mkdir(dirname(cache), { recursive: true });
  const work = await mkdtemp(`${cache}.`);
  try {
    const [sources, state, packages, unpacked] = await Promise.all(
      ["sources", "state/lists", "cache/archives", "root"].map(async (name) => {
        const folder = join(work, name);
        await mkdir(folder, { recursive: true });
        return folder;
      }),
    );
    await copySources(sources!, release);
    const options = [
      ["Dir::Etc::SourceList", "/dev/null"],
      ["Dir::Etc::SourceParts", sources!],
      ["Dir::State", dirname(state!)],
      ["Dir::State::status", "/var/lib/dpkg/status"],
      ["Dir::Cache", dirname(packages!)],
      // Root's downloads run as another user, who may not write here.
      ["APT::Sandbox::User", ""],
    ].flatMap(([name, value]) => ["-o", `${name}=${value}`]);
    await run("apt-get", [...options, "update"], { cwd: packages! });
    await run("apt-get", [...options, "download", ...wanted], { cwd: packages! });
    const archives = (await readdir(packages!)).filter((name) => name.endsWith(".deb"));
    for (const archive of archives) await run("dpkg", ["-x", join(packages!, archive), unpacked!]);
    await prepare?.(unpacked!, cache);
    await rename(unpacked!, cache).catch((error: unknown) => {
      if (!existsSync(cache)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The machine's own sources, so that its mirrors and proxies hold, with the release's name changed. */
async function copySources(target: string, wanted?: string): Promise<void> {
  const release = /^VERSION_CODENAME=(\w+)$/m.exec(await readFile("/etc/os-release", "utf8"))?.[1];
  if (release === undefined) throw new Error("this is not a Debian release");
  const parts = join(APT, "sources.list.d");
  const names = existsSync(parts) ? await readdir(parts) : [];
  const files = [join(APT, "sources.list"), ...names.map((name) => join(parts, name))];
  for (const [at, file] of files
    .filter((name) => /\.(list|sources)$/.test(name) && existsSync(name))
    .entries()) {
    const text = await readFile(file, "utf8");
    // Sources of others rarely have a directory for another release, and none of them has what is wanted here.
    if (!new RegExp(`\\b${release}\\b`).test(text) || !/debian/.test(text)) continue;
    const renamed = text.replaceAll(new RegExp(`\\b${release}\\b`, "g"), wanted ?? release);
    await writeFile(join(target, `${at}${file.endsWith(".list") ? ".list" : ".sources"}`), renamed);
  }
}
