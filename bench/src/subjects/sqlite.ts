import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import type { Opened, Place } from "./subject.js";

/** What is needed here of better-sqlite3's database. */
interface Database {
  pragma(source: string, options?: { simple: boolean }): unknown;
  close(): void;
}

/** Its types ask for those of its driver, which are not installed. */
interface SqliteModule {
  SqliteSaver: { fromConnString(path: string): BaseCheckpointSaver & { db: Database } };
}

/** Undefined when the official SQLite saver can be used, else why not: its driver has to be compiled here. */
export function sqliteMissing(say: (text: string) => void): string | undefined {
  let fromSaver: NodeJS.Require;
  try {
    const here = createRequire(import.meta.url);
    fromSaver = createRequire(here.resolve("@langchain/langgraph-checkpoint-sqlite"));
  } catch {
    return "@langchain/langgraph-checkpoint-sqlite is not installed";
  }
  if (opens(fromSaver)) return undefined;
  say("Compiling better-sqlite3 for the comparison (about a minute)…");
  const driver = dirname(fromSaver.resolve("better-sqlite3/package.json"));
  const args = ["exec", "--yes", "--package=node-gyp", "--", "node-gyp", "rebuild", "--release"];
  spawnSync("npm", args, { cwd: driver, stdio: "ignore" });
  if (opens(fromSaver)) return undefined;
  return "better-sqlite3 could not be compiled (it needs Python, make and a C++ compiler)";
}

/** `full` makes every commit durable, which is not the official saver's default. */
export async function openSqlite({ folder, name }: Place, full: boolean): Promise<Opened> {
  const { SqliteSaver } = (await import("@langchain/langgraph-checkpoint-sqlite")) as unknown as SqliteModule;
  const open = () => {
    const saver = SqliteSaver.fromConnString(join(folder, `${name}.db`));
    saver.db.pragma("journal_mode = WAL");
    if (full) saver.db.pragma("synchronous = FULL");
    return saver;
  };
  const saver = open();
  const number = (pragma: string) => Number(saver.db.pragma(pragma, { simple: true }));
  return {
    saver,
    async cold() {
      const other = open();
      return { saver: other, close: async () => other.db.close() };
    },
    // With what is still in the write-ahead log, and without the log's own length.
    stored: async () => number("page_count") * number("page_size"),
    close: async () => saver.db.close(),
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
