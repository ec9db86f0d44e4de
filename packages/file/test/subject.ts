import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ConformanceTarget } from "@langgraph-savers/conformance";
import type { SaverUnderTest } from "@langgraph-savers/test";

import { FileSaver, type FileSaverOptions } from "../src/index.js";

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "langgraph-savers-file-"));
}

/** `FileSaver` for the shared suites, each on a directory of its own. */
export function fileSubject(name: string, options: FileSaverOptions): SaverUnderTest {
  const folders = new WeakMap<object, string>();
  const open = (folder: string): FileSaver => {
    const saver = new FileSaver(folder, options);
    folders.set(saver, folder);
    return saver;
  };
  return {
    name,
    create: () => open(temporaryFolder()),
    reopen: (saver) => open(folders.get(saver)!),
    destroy: async (saver) => {
      await (saver as FileSaver).close();
      rmSync(folders.get(saver)!, { recursive: true, force: true });
    },
  };
}

/** The same for the conformance kit. Faults have tests of their own: kills, power losses, failing disks. */
export function fileTarget(name: string, options: FileSaverOptions): ConformanceTarget {
  return {
    name,
    capabilities: { faults: false },
    create: () => {
      const folder = temporaryFolder();
      const opened: FileSaver[] = [];
      const open = (more: FileSaverOptions = {}): FileSaver => {
        const saver = new FileSaver(folder, { ...options, ...more });
        opened.push(saver);
        return saver;
      };
      return {
        saver: open(),
        reopen: () => open(),
        createWith: ({ serde }) => open({ serde }),
        cleanup: async () => {
          for (const saver of opened) await saver.close();
          rmSync(folder, { recursive: true, force: true });
        },
      };
    },
  };
}
