import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, inject } from "vitest";

import { storeUrl, type Kind } from "./urls.js";

export { DATABASE, opened, type Kind } from "./urls.js";

/** A folder that is gone when the tests of the file are. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "savers-cli-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The URL of a store of one's own on the servers of this run. */
export function newStore(kind: Kind, folder: string): string {
  return storeUrl(kind, folder, { mongodb: inject("mongodb"), dynamodb: inject("dynamodb") });
}
