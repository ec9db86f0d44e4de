import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname } from "node:path";

import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

/** What the benches need of better-sqlite3's database. */
interface Database {
  pragma(source: string): unknown;
  close(): void;
}

export interface Sqlite {
  /** The official saver on a file; `full` makes every commit durable, which is not its default. */
  open(path: string, full: boolean): { saver: BaseCheckpointSaver; close(): void };
}

/** The official SQLite saver, or why it cannot be had: its driver has to be compiled on this machine. */
export async function loadSqlite(): Promise<Sqlite | string> {
  const require = createRequire(import.meta.url);
  let saverPath: string;
  try {
    saverPath = require.resolve("@langchain/langgraph-checkpoint-sqlite");
  } catch {
    return "@langchain/langgraph-checkpoint-sqlite is not installed";
  }
  const fromSaver = createRequire(saverPath);
  const driver = dirname(fromSaver.resolve("better-sqlite3/package.json"));
  if (!opens(fromSaver)) {
    console.log("Compiling better-sqlite3 for the comparison (about a minute)…");
    const args = ["exec", "--yes", "--package=node-gyp", "--", "node-gyp", "rebuild", "--release"];
    spawnSync("npm", args, { cwd: driver, stdio: "ignore" });
    if (!opens(fromSaver))
      return "better-sqlite3 could not be compiled (it needs Python, make and a C++ compiler)";
  }
  const { SqliteSaver } = (await import("@langchain/langgraph-checkpoint-sqlite")) as unknown as {
    SqliteSaver: { fromConnString(path: string): BaseCheckpointSaver & { db: Database } };
  };
  return {
    open(path, full) {
      const saver = SqliteSaver.fromConnString(path);
      saver.db.pragma("journal_mode = WAL");
      if (full) saver.db.pragma("synchronous = FULL");
      return { saver, close: () => saver.db.close() };
    },
  };
}

function opens(require: NodeJS.Require): boolean {
  try {
    const Driver = require("better-sqlite3") as new (path: string) => Database;
    new Driver(":memory:").close();
    return true;
  } catch {
    return false;
  }
}
