import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import Database from "libsql";

/**
 * The official saver. In your project this is `SqliteSaver.fromConnString(path)`; its driver, better-sqlite3, has to be
 * compiled, so that here libsql stands in for it. The file is the same.
 */
export function openOfficial(path: string): { saver: SqliteSaver; close: () => void } {
  const database = new Database(path);
  return { saver: new SqliteSaver(database), close: () => database.close() };
}
