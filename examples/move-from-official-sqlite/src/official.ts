import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import Database from "libsql";

/**
 * The official saver. In your project this is `SqliteSaver.fromConnString(path)`; its driver, better-sqlite3, has to be
 * compiled, so that here libsql stands in for it. The file is the same.
 */
export function openOfficial(path: string): { saver: SqliteSaver; close: () => void } {
  const database = new Database(path);
  type Driver = ConstructorParameters<typeof SqliteSaver>[0];
  return { saver: new SqliteSaver(database as unknown as Driver), close: () => database.close() };
}
