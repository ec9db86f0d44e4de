import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { startKept, type TestServer } from "./kept-process.js";

/** dynalite shows what DynamoDB Local hides: unprocessed keys of large batches. It has no TTL calls. */
export function startDynalite(): Promise<TestServer> {
  const manifest = createRequire(import.meta.url).resolve("dynalite/package.json");
  const cli = join(dirname(manifest), "cli.js");
  const times = ["--createTableMs", "0", "--deleteTableMs", "0", "--updateTableMs", "0"];
  return startKept(process.execPath, (port) => [
    cli,
    "--host",
    "127.0.0.1",
    "--port",
    String(port),
    ...times,
  ]);
}
