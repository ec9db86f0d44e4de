import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The oldest glibc that the embedded engine runs with, and the Debian release that has a newer one. */
const NEEDED = [2, 38] as const;
const RELEASE = "trixie";
const PACKAGES = ["libc6", "libgcc-s1", "libstdc++6"];

const TOOLS = fileURLToPath(new URL("../../../.tools/", import.meta.url));
const APT = "/etc/apt";

const PLATFORMS: Record<string, { folder: string; loader: string } | undefined> = {
  x64: { folder: "x86_64-linux-gnu", loader: "ld-linux-x86-64.so.2" },
  arm64: { folder: "aarch64-linux-gnu", loader: "ld-linux-aarch64.so.1" },
};

/** What to put in front of `node` so that it runs with a glibc that is new enough; nothing where the system's is. */
export async function newerLibc(): Promise<string[]> {
  if (process.platform !== "linux" || isNewEnough(systemGlibc())) return [];
  const platform = PLATFORMS[process.arch];
  if (platform === undefined) throw new Error(`there is no embedded MongoDB for linux ${process.arch}`);
  const cache = join(TOOLS, `libc-${RELEASE}-${process.arch}`);
  if (!existsSync(cache)) await download(cache);
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

/** Unpacks the packages beside the system's, never over them. Whoever is first puts the folder in its place. */
async function download(cache: string): Promise<void> {
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
    await copySources(sources!);
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
    await run("apt-get", [...options, "download", ...PACKAGES], { cwd: packages! });
    const archives = (await readdir(packages!)).filter((name) => name.endsWith(".deb"));
    for (const archive of archives) await run("dpkg", ["-x", join(packages!, archive), unpacked!]);
    await rename(unpacked!, cache).catch((error: unknown) => {
      if (!existsSync(cache)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The machine's own sources, so that its mirrors and proxies hold, with the release's name changed. */
async function copySources(target: string): Promise<void> {
  const release = /^VERSION_CODENAME=(\w+)$/m.exec(await readFile("/etc/os-release", "utf8"))?.[1];
  if (release === undefined) throw new Error("this is not a Debian release");
  const parts = join(APT, "sources.list.d");
  const names = existsSync(parts) ? await readdir(parts) : [];
  const files = [join(APT, "sources.list"), ...names.map((name) => join(parts, name))];
  for (const [at, file] of files
    .filter((name) => /\.(list|sources)$/.test(name) && existsSync(name))
    .entries()) {
    const text = await readFile(file, "utf8");
    // Sources of others rarely have a directory for another release, and none of them has a libc.
    if (!new RegExp(`\\b${release}\\b`).test(text) || !/debian/.test(text)) continue;
    const renamed = text.replaceAll(new RegExp(`\\b${release}\\b`, "g"), RELEASE);
    await writeFile(join(target, `${at}${file.endsWith(".list") ? ".list" : ".sources"}`), renamed);
  }
}
