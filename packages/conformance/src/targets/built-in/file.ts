import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { importInstalled } from "@langgraph-savers/command/modules";

import type { ConformanceTarget } from "../../scenario.js";
import { createOver, type Serde } from "../backend.js";
import type { TargetContext } from "../target-context.js";

interface FilePackage {
  FileSaver: new (
    directory: string,
    options?: { serde?: Serde },
  ) => BaseCheckpointSaver & { close(): Promise<void> };
}

export async function file({ folder, scratch }: TargetContext): Promise<ConformanceTarget> {
  const { FileSaver } = await importInstalled<FilePackage>(folder, "@langgraph-savers/file");
  return {
    name: "FileSaver",
    create: () =>
      createOver<string>({
        place: () => join(scratch, randomUUID()),
        open(directory, serde) {
          const saver = new FileSaver(directory, serde === undefined ? {} : { serde });
          return { saver, close: () => saver.close() };
        },
        remove: (directory) => rm(directory, { recursive: true, force: true }),
      }),
  };
}
