import { readFileSync } from "node:fs";

interface Manifest {
  version: string;
}

/** Of the command that runs, read where it is kept: package.json, above the folder of the code. */
export const version = readVersion("../package.json") ?? readVersion("../../package.json") ?? "0.0.0";

/** From the bundle it is one folder up, from the sources two. */
function readVersion(path: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as Manifest).version;
  } catch {
    return undefined;
  }
}
