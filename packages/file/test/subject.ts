import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ContractSubject } from "@langgraph-savers/test";

import { FileSaver, type FileSaverOptions } from "../src/index.js";

const folders = new WeakMap<object, string>();

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "langgraph-savers-file-"));
}

function open(folder: string, options: FileSaverOptions): FileSaver {
  const saver = new FileSaver(folder, options);
  folders.set(saver, folder);
  return saver;
}

/** `FileSaver` for the shared suites, each on a directory of its own. */
export function fileSubject(name: string, base: FileSaverOptions): ContractSubject {
  return {
    name,
    create: () => open(temporaryFolder(), base),
    createWith: (options) => open(temporaryFolder(), { ...base, ...options }),
    reopen: (saver) => open(folders.get(saver)!, base),
    destroy: async (saver) => {
      await (saver as FileSaver).close();
      rmSync(folders.get(saver)!, { recursive: true, force: true });
    },
  };
}
