import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

import { describe, expect, inject, it } from "vitest";

import { collect, config } from "../support/checkpoints.js";
import { place } from "../support/place.js";
import { NAMESPACES, THREADS, valuesOf, type Job, type Report } from "./world.js";

const PROCESSES = 8;
const OPERATIONS = 2000;

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));

async function work(job: Job): Promise<Report> {
  const child = spawn(process.execPath, ["--import", "tsx", WORKER, JSON.stringify(job)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (data: Buffer) => (output += data.toString()));
  child.stderr.on("data", (data: Buffer) => (errors += data.toString()));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`worker ${job.worker} ended with ${String(code)}: ${errors}`);
  return JSON.parse(output) as Report;
}

describe("8 processes on shared threads", () => {
  it("leave no duplicate, lose no write, and agree with the model", async () => {
    const here = place();
    const reports = await Promise.all(
      Array.from({ length: PROCESSES }, (_, worker) =>
        work({
          uri: inject("mongodbUri"),
          dbName: here.dbName,
          collectionName: here.collectionName,
          worker,
          operations: OPERATIONS / PROCESSES,
        }),
      ),
    );
    const all = (of: (report: Report) => string[]) => new Set(reports.flatMap(of));
    expect([...all(({ damaged }) => damaged)]).toEqual([]);
    const puts = all((report) => report.puts);
    const regular = all(({ writes }) => writes);
    const special = all(({ specials }) => specials);
    expect(puts.size).toBeGreaterThan(100);

    const saver = here.saver();
    const found: string[] = [];
    for (const tuple of await collect(saver.list({}))) {
      const { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id } = tuple.config.configurable!;
      const key = `${thread} ${namespace} ${id}`;
      found.push(key);
      expect(tuple.checkpoint.channel_values).toEqual(
        valuesOf(thread as string, namespace as string, tuple.metadata!.step),
      );
      for (const task of ["A", "B"]) {
        const writes = tuple.pendingWrites!.filter(([by]) => by === task);
        const channels = [
          ...(special.has(`${key} ${task}`) ? ["__error__"] : []),
          ...(regular.has(`${key} ${task}`) ? ["x", "y", "z"] : []),
        ];
        expect(writes.map(([, channel]) => channel)).toEqual(channels);
        // A batch is there whole: all of it from one call.
        const authors = writes.flatMap(([, channel, value]) =>
          channel === "__error__" ? [] : [channel === "y" ? (value as { by: string }).by : value],
        );
        expect(new Set(authors).size).toBe(regular.has(`${key} ${task}`) ? 1 : 0);
      }
    }
    expect(found.toSorted()).toEqual([...puts].toSorted());
    for (const thread of THREADS) {
      for (const namespace of NAMESPACES) {
        const latest = [...puts]
          .filter((key) => key.startsWith(`${thread} ${namespace} 1ef`))
          .toSorted()
          .at(-1);
        const tuple = await saver.getTuple(config(thread, undefined, namespace));
        expect(tuple && `${thread} ${namespace} ${tuple.checkpoint.id}`).toBe(latest);
      }
    }
    expect(await here.documents.countDocuments({ "_id.k": "r" })).toBe(puts.size);
  }, 120_000);
});
