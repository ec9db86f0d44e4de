import { start } from "@langgraph-savers/test/processes";
import { describe, expect, inject, it } from "vitest";

import { collect, config, idOf } from "@langgraph-savers/test/checkpoints";
import { place } from "../support/place.js";
import { DOOMED, NAMESPACES, TASKS, THREADS, valuesOf, type Job, type Report } from "./world.mjs";

const PROCESSES = 8;
const OPERATIONS = 2000;
/** An hour, for which nothing is collected, in 9 seconds. */
const SPEED = 400;

const WORKER = new URL("./worker.mjs", import.meta.url).href;

const doomed = new Set(Array.from({ length: DOOMED }, (_, at) => idOf(at)));
const stays = (key: string) => !doomed.has(key.split(" ").at(-1)!);

describe("8 processes on shared threads", () => {
  it("leave no duplicate, lose no write, collect nothing that is needed, and agree with the model", async () => {
    const here = place();
    const epoch = Date.now();
    const reports = await Promise.all(
      Array.from({ length: PROCESSES }, (_, worker) => {
        const { dbName, collectionName } = here;
        const operations = OPERATIONS / PROCESSES;
        const job: Job = {
          uri: inject("mongodbUri"),
          dbName,
          collectionName,
          worker,
          operations,
          epoch,
          speed: SPEED,
        };
        return start<Report>(WORKER, job).result;
      }),
    );
    const all = (of: (report: Report) => string[]) => new Set(reports.flatMap(of));
    expect([...all(({ damaged }) => damaged)]).toEqual([]);
    const puts = all((report) => report.puts.filter(stays));
    const regular = all(({ writes }) => writes);
    const special = all(({ specials }) => specials);
    expect(puts.size).toBeGreaterThan(100);

    const saver = here.saver();
    const found: string[] = [];
    for (const tuple of await collect(saver.list({}))) {
      const { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id } = tuple.config.configurable!;
      const key = `${thread} ${namespace} ${id}`;
      expect(tuple.checkpoint.channel_values).toEqual(
        valuesOf(thread as string, namespace as string, tuple.metadata!.step),
      );
      if (stays(key)) found.push(key);
      for (const task of TASKS) {
        const writes = tuple.pendingWrites!.filter(([by]) => by === task);
        const channels = [
          ...(special.has(`${key} ${task}`) ? ["__error__"] : []),
          ...(regular.has(`${key} ${task}`) ? ["x", "y", "z"] : []),
        ];
        // Of what is deleted at the same time, any of them may be left.
        const left = writes.map(([, channel]) => channel);
        expect(left).toEqual(stays(key) ? channels : left);
        // A batch is there whole: all of it from one call.
        const batch = writes.filter(([, channel]) => channel !== "__error__");
        const authors = batch.map(([, channel, value]) =>
          channel === "y" ? (value as { by: string }).by : value,
        );
        expect([0, 3]).toContain(batch.length);
        expect(new Set(authors).size).toBe(batch.length / 3);
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
        const names = [...doomed].map((checkpointId) => ({ namespace, checkpointId }));
        await saver.store.deleteCheckpoints(thread, names);
      }
      const counted = reports.reduce((sum, report) => sum + (report.counted[thread] ?? 0), 0);
      expect(await saver.store.getRegister(thread, "count")).toBe(String(counted));
      // Nobody is at work any more: all that is not needed goes.
      await saver.store.collectChunks(thread, Number.MAX_SAFE_INTEGER);
    }
    expect(await here.saver().verify()).toEqual({ intact: puts.size, problems: [] });
    expect(await here.documents.countDocuments({ "_id.k": "r" })).toBe(puts.size);
    expect(await here.documents.countDocuments({ m: { $exists: true } })).toBe(0);
  }, 120_000);
});
