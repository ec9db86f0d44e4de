import { importInstalled, LoadError, messageOf } from "@langgraph-savers/command/modules";

import { CommandError } from "../command/errors.js";

/** What the official saver uses of better-sqlite3. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement;
  pragma(source: string): unknown;
  exec(sql: string): unknown;
  transaction?(work: (...args: never[]) => unknown): unknown;
  close(): void;
}

interface SqliteStatement {
  all(...args: unknown[]): unknown[];
  get(...args: unknown[]): unknown;
}

type Constructor = new (path: string, options?: object) => SqliteDatabase;

/**
 * Opens a database with the saver's own driver. That one has to be compiled, and on many a machine it was not; then
 * another one that understands the same calls will do.
 */
export async function openSqlite(
  path: string,
  isReadOnly: boolean,
  folders: { saver: string; project: string },
): Promise<SqliteDatabase> {
  const failures: string[] = [];
  for (const [name, folder] of [
    ["better-sqlite3", folders.saver],
    ["libsql", folders.project],
  ] as const) {
    try {
      const { default: Database } = await importInstalled<{ default: Constructor }>(folder, name);
      return new Database(path, isReadOnly ? { readonly: true } : {});
    } catch (error) {
      if (!(error instanceof LoadError) && isDatabaseFault(error)) throw unusable(path, error);
      failures.push(`${name}: ${messageOf(error).split("\n")[0]}`);
    }
  }
  throw new CommandError(
    `No driver for SQLite loads (${failures.join("; ")}). ` +
      "Compile the saver's own with `npm rebuild better-sqlite3`, or install one that needs no compiler: `npm install libsql`.",
  );
}

/** The driver is there, and complains about the file. */
function isDatabaseFault(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_");
}

function unusable(path: string, error: unknown): CommandError {
  return new CommandError(`${path} cannot be used: ${messageOf(error)}`, { cause: error });
}
