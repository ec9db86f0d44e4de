// Two processes run a graph on the same thread at once; leases put them in a row.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FileSaver } from "@langgraph-savers/file";

const directory = process.argv[2] ?? mkdtempSync(join(tmpdir(), "langgraph-savers-leases-"));
const script = fileURLToPath(new URL("worker.ts", import.meta.url));
const workers = ["first", "second"].map((name) =>
  spawn(process.execPath, ["--import", "tsx", script, directory, name], { stdio: "inherit" }),
);
for (const [code] of await Promise.all(workers.map((worker) => once(worker, "exit"))))
  if (code !== 0) process.exit(1);

await using saver = new FileSaver(directory);
const tuple = await saver.getTuple({ configurable: { thread_id: "shared" } });
console.log("the thread in the end:");
const log = (tuple?.checkpoint.channel_values["log"] ?? []) as string[];
for (const line of log) console.log(`  ${line}`);
