import { access as fileAccess } from "node:fs/promises";
import { resolve } from "node:path";

import { importInstalled, installedFolder } from "@langgraph-savers/command/modules";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import type { TaskWrites } from "@langgraph-savers/core";

import { CommandError, UsageError } from "../command/errors.js";
import type { Opener } from "./open.js";
import { rowOf, type Found } from "./scan.js";
import { openSqlite, type SqliteDatabase } from "./sqlite-engine.js";
import { nameOf, type CheckpointName, type ThreadRow } from "./store.js";
import { groupByTask, type StoredWrite } from "./stored-writes.js";

const PACKAGE = "@langchain/langgraph-checkpoint-sqlite";

interface SqlitePackage {
  SqliteSaver: new (database: SqliteDatabase) => BaseCheckpointSaver;
}

/** `official-sqlite:./x.db`: read through a view that changes nothing, unless it is the target of a copy. */
export const openOfficialSqlite: Opener = async (address, { access, folder, label }) => {
  if (address === "") throw new UsageError("Name the database: official-sqlite:./checkpoints.db");
  const path = resolve(folder, address);
  const isThere = await fileAccess(path).then(
    () => true,
    () => false,
  );
  if (!isThere && access === "absent-is-empty") return undefined;
  if (!isThere && access === "read") throw new CommandError(`There is no file ${path}.`);
  const { SqliteSaver } = await importInstalled<SqlitePackage>(folder, PACKAGE);
  const folders = { saver: installedFolder(folder, PACKAGE), project: folder };
  const database = await openSqlite(path, access !== "write", folders);
  const saver = new SqliteSaver(access === "write" ? database : readOnly(database, path));
  const tables = new Tables(database);
  return {
    kind: "official-sqlite",
    label,
    identity: `official-sqlite:${path}`,
    saver,
    threads: ({ prefix = "" } = {}) => tables.threads(prefix),
    keys: (threadId) => tables.keys(threadId),
    taskWrites: (tuple) => {
      const threadId = String(tuple.config.configurable?.["thread_id"]);
      return tables.writes(threadId, nameOf(tuple), saver);
    },
    close: () => database.close(),
  };
};

/** Without the set-up that the saver does on first use, which would change the file that is only to be read. */
function readOnly(database: SqliteDatabase, path: string): SqliteDatabase {
  const found = database
    .prepare("SELECT COUNT(*) AS tables FROM sqlite_master WHERE name IN ('checkpoints', 'writes')")
    .get() as { tables: number };
  if (found.tables < 2) {
    database.close();
    throw new CommandError(
      `${path} is not a database of SqliteSaver: it lacks the tables checkpoints and writes.`,
    );
  }
  return {
    prepare: (sql) => database.prepare(sql),
    pragma: () => undefined,
    exec: () => undefined,
    close: () => {},
  };
}

/** What the official saver itself cannot tell, from its tables. */
class Tables {
  constructor(private readonly database: SqliteDatabase) {}

  async *threads(prefix: string): AsyncGenerator<ThreadRow> {
    // A bare column beside MAX is taken from the row that has it.
    const rows = this.#all<Found & { metadata: string; newest: string }>(
      `SELECT thread_id AS threadId, COUNT(*) AS checkpoints, COUNT(DISTINCT checkpoint_ns) AS namespaces,
         MAX(checkpoint_id) AS newest, CAST(metadata AS TEXT) AS metadata,
         SUM(COALESCE(LENGTH(checkpoint), 0) + COALESCE(LENGTH(metadata), 0)) AS bytes
       FROM checkpoints GROUP BY thread_id ORDER BY thread_id`,
    );
    const oldest = this.#byThread<string>(
      "SELECT thread_id AS threadId, MIN(checkpoint_id) AS value FROM checkpoints GROUP BY thread_id",
    );
    const writes = this.#byThread<number>(
      "SELECT thread_id AS threadId, SUM(COALESCE(LENGTH(value), 0)) AS value FROM writes GROUP BY thread_id",
    );
    for (const { threadId, checkpoints, namespaces, newest, metadata, bytes = 0 } of rows) {
      if (!threadId.startsWith(prefix)) continue;
      yield rowOf({
        threadId,
        checkpoints,
        namespaces,
        newest,
        oldest: oldest.get(threadId) ?? newest,
        bytes: bytes + (writes.get(threadId) ?? 0),
        ...lastOf(metadata),
      });
    }
  }

  keys(threadId: string): CheckpointName[] {
    return this.#all<{ checkpoint_ns: string; checkpoint_id: string }>(
      "SELECT checkpoint_ns, checkpoint_id FROM checkpoints WHERE thread_id = ? ORDER BY checkpoint_id, checkpoint_ns",
      threadId,
    ).map(({ checkpoint_ns: namespace, checkpoint_id: checkpointId }) => ({ namespace, checkpointId }));
  }

  writes(
    threadId: string,
    { namespace, checkpointId }: CheckpointName,
    saver: BaseCheckpointSaver,
  ): Promise<TaskWrites[]> {
    const rows = this.#all<StoredWrite>(
      `SELECT task_id, idx, channel, type, value FROM writes
       WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ? ORDER BY task_id, idx`,
      threadId,
      namespace,
      checkpointId,
    );
    return groupByTask(
      // libsql gives an ArrayBuffer for what better-sqlite3 gives a Buffer.
      rows.map((row) => ({ ...row, value: row.value === null ? null : new Uint8Array(row.value) })),
      saver,
    );
  }

  #byThread<Value>(sql: string): Map<string, Value> {
    const rows = this.#all<{ threadId: string; value: Value }>(sql);
    return new Map(rows.map(({ threadId, value }) => [threadId, value]));
  }

  #all<Row>(sql: string, ...args: unknown[]): Row[] {
    return this.database.prepare(sql).all(...args) as Row[];
  }
}

function lastOf(metadata: string): Pick<Found, "step" | "source"> {
  try {
    const { step, source } = JSON.parse(metadata) as Record<string, unknown>;
    return { step, source };
  } catch {
    return { step: undefined, source: undefined };
  }
}
