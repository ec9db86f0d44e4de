// What the conformance kit is given: how to get a saver on empty storage, and a second one on the same.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConformanceTarget } from "@langgraph-savers/conformance";
import { JournalSaver } from "./journal-saver.js";

const target: ConformanceTarget = {
  name: "JournalSaver",
  create: () => {
    const folder = mkdtempSync(join(tmpdir(), "langgraph-savers-journal-"));
    const opened: JournalSaver[] = [];
    const open = (name: string, options = {}): JournalSaver => {
      const saver = new JournalSaver(join(folder, name), options);
      opened.push(saver);
      return saver;
    };
    let files = 0;
    return {
      saver: open("journal"),
      reopen: () => open("journal"),
      createWith: ({ serde }) => open(`other-${(files += 1)}`, { serde }),
      cleanup: async () => {
        await Promise.all(opened.map((saver) => saver.close()));
        rmSync(folder, { recursive: true });
      },
    };
  },
};

export default target;
