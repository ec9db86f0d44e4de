import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { SharedStore } from "@langgraph-savers/test/processes";

/** A directory that several processes use at once. */
export const sharedDirectory: SharedStore = {
  name: "FileSaver",
  openModule: new URL("open.mjs", import.meta.url).href,
  create: async () => {
    const path = mkdtempSync(join(tmpdir(), "langgraph-savers-shared-"));
    return { place: { path }, destroy: async () => rmSync(path, { recursive: true, force: true }) };
  },
};
