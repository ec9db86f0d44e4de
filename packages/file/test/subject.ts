import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { SaverUnderTest } from "@langgraph-savers/test";

import { FileSaver, type FileSaverOptions } from "../src/index.js";

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "langgraph-savers-file-"));
}

/** `FileSaver` for the shared suites, each on a directory of its own. */
export function fileSubject(name: string, options: FileSaverOptions): SaverUnderTest {
  const folders = new WeakMap<object, string>();
  const open = (folder: string, more: FileSaverOptions = {}): FileSaver => {
    const saver = new FileSaver(folder, { ...options, ...more });
    folders.set(saver, folder);
    return saver;
  };
  return {
    name,
    create: () => open(temporaryFolder()),
    createWith: (more) => open(temporaryFolder(), more),
    reopen: (saver) => open(folders.get(saver)!),
    destroy: async (saver) => {
      await (saver as FileSaver).close();
      rmSync(folders.get(saver)!, { recursive: true, force: true });
    },
  };
}
