import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { importInstalled } from "@langgraph-savers/command/modules";

import type { ConformanceTarget } from "../../scenario.js";
import { createOver, type Serde } from "../backend.js";
import type { TargetContext } from "../target-context.js";

interface SqliteDatabase {
  close(): void;
}

interface SqlitePackage {
  SqliteSaver: {
    new (database: SqliteDatabase, serde?: Serde): BaseCheckpointSaver;
    fromConnString(path: string): BaseCheckpointSaver & { db: SqliteDatabase };
  };
}

export async function officialSqlite({ folder, scratch }: TargetContext): Promise<ConformanceTarget> {
  const { SqliteSaver } = await importInstalled<SqlitePackage>(
    folder,
    "@langchain/langgraph-checkpoint-sqlite",
  );
  return {
    name: "SqliteSaver (official)",
    create: () =>
      createOver<string>({
        place: () => join(scratch, `${randomUUID()}.sqlite`),
        open(path, serde) {
          const saver = SqliteSaver.fromConnString(path);
          const close = () => saver.db.close();
          return { saver: serde === undefined ? saver : new SqliteSaver(saver.db, serde), close };
        },
        // SQLite keeps its write-ahead log and its index beside the file.
        remove: async (path) => {
          await Promise.all(["", "-wal", "-shm"].map((suffix) => rm(path + suffix, { force: true })));
        },
      }),
  };
}
