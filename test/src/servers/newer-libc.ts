import { join } from "node:path";

import { debianPackages } from "./debian-packages.js";

/** The oldest glibc that the embedded engine runs with, and the Debian release that has a newer one. */
const NEEDED = [2, 38] as const;
const RELEASE = "trixie";
const PACKAGES = ["libc6", "libgcc-s1", "libstdc++6"];

const PLATFORMS: Record<string, { folder: string; loader: string } | undefined> = {
  x64: { folder: "x86_64-linux-gnu", loader: "ld-linux-x86-64.so.2" },
  arm64: { folder: "aarch64-linux-gnu", loader: "ld-linux-aarch64.so.1" },
};

/** What to put in front of `node` so that it runs with a glibc that is new enough; nothing where the system's is. */
export async function newerLibc(): Promise<string[]> {
  if (process.platform !== "linux" || isNewEnough(systemGlibc())) return [];
  const platform = PLATFORMS[process.arch];
  if (platform === undefined) throw new Error(`there is no embedded MongoDB for linux ${process.arch}`);
  const cache = await debianPackages(`libc-${RELEASE}`, PACKAGES, { release: RELEASE });
  const libraries = join(cache, "usr", "lib", platform.folder);
  const path = [libraries, `/lib/${platform.folder}`, `/usr/lib/${platform.folder}`].join(":");
  return [join(libraries, platform.loader), "--library-path", path];
}

function systemGlibc(): string | undefined {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime;
}

function isNewEnough(version: string | undefined): boolean {
  const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}
