import { existsSync, readdirSync, readFileSync } from "node:fs";

import { ROOT } from "./markdown/pages.js";

interface Manifest {
  name: string;
  private?: boolean;
  [field: string]: unknown;
}

export interface Publishable {
  name: string;
  /** Where it is, without a slash at the end. */
  folder: string;
  manifest: Manifest;
}

/** The packages that a release publishes. */
export function publishable(): Publishable[] {
  const folders = readdirSync(`${ROOT}packages`).map((name) => `${ROOT}packages/${name}`);
  return folders
    .filter((folder) => existsSync(`${folder}/package.json`))
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as Manifest;
      return { name: manifest.name, folder, manifest };
    })
    .filter(({ manifest }) => manifest.private !== true);
}
