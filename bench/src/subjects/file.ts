import { join } from "node:path";

import { FileSaver, type Durability } from "@langgraph-savers/file";

import { bytesIn } from "./folder.js";
import type { Opened, Place } from "./subject.js";

export async function openFile({ folder, name }: Place, durability: Durability): Promise<Opened> {
  const path = join(folder, name);
  const open = () => new FileSaver(path, { durability });
  const saver = open();
  return {
    saver,
    async cold() {
      const other = open();
      return { saver: other, close: () => other.close() };
    },
    stored: async () => bytesIn(path),
    close: () => saver.close(),
  };
}
