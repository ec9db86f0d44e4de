import { readFileSync } from "node:fs";

interface Manifest {
  version: string;
}

/** The version of the kit that runs, read where it is kept: package.json, one folder above the bundle. */
export const version = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as Manifest
).version;
