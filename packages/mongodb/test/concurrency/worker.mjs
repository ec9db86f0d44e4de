// One of the processes of `processes.test.ts`: random calls on shared threads, and a report of what was acknowledged.
import { MongoDBSaver } from "@langgraph-savers/mongodb";
import { speedUp } from "@langgraph-savers/test/clock";
import { MongoClient } from "mongodb";

import { checkpoint, config, idOf, metadata } from "@langgraph-savers/test/checkpoints";
import { batchOf, CHECKPOINTS, DOOMED, NAMESPACES, TASKS, THREADS, valuesOf } from "./world.mjs";

/** @type {import("./world.mjs").Job} */
const job = JSON.parse(String(process.argv[2]));
speedUp(job.epoch, job.speed);
const client = new MongoClient(job.uri);
const saver = new MongoDBSaver({ client, dbName: job.dbName, checkpointCollectionName: job.collectionName });
/** @type {import("./world.mjs").Report} */
const report = { puts: [], writes: [], specials: [], damaged: [], counted: {}, collected: 0 };

const HOUR = 60 * 60_000;

let state = job.worker * 7919 + 1;
/** @param {number} below */
function random(below) {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

/** @template T @param {T[]} list @returns {T} */
const one = (list) => /** @type {T} */ (list[random(list.length)]);

for (let at = 0; at < job.operations; at++) {
  const thread = one(THREADS);
  const namespace = one(NAMESPACES);
  const number = random(CHECKPOINTS);
  const id = idOf(number);
  const key = `${thread} ${namespace} ${id}`;
  switch (random(13)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const values = valuesOf(thread, namespace, number);
      const parent = number === 0 ? undefined : idOf(number - 1);
      await saver.put(config(thread, parent, namespace), checkpoint(id, values), metadata(number), {
        big: 1,
        id: 1,
      });
      report.puts.push(key);
      break;
    }
    case 4:
    case 5:
    case 6: {
      const task = one(TASKS);
      await saver.putWrites(config(thread, id, namespace), batchOf(job.worker, at), task);
      report.writes.push(`${key} ${task}`);
      break;
    }
    case 7: {
      const task = one(TASKS);
      await saver.putWrites(config(thread, id, namespace), [["__error__", `${job.worker} ${at}`]], task);
      report.specials.push(`${key} ${task}`);
      break;
    }
    case 8: {
      await saver.setup();
      const names = Array.from({ length: 5 }, () => ({ namespace, checkpointId: idOf(random(DOOMED)) }));
      await saver.store.deleteCheckpoints(thread, names);
      break;
    }
    case 9: {
      await saver.setup();
      report.collected += (await saver.store.collectChunks(thread, Date.now() - HOUR)).chunks;
      break;
    }
    case 10: {
      await saver.setup();
      const before = await saver.store.getRegister(thread, "count");
      const next = String(Number(before ?? 0) + 1);
      if (await saver.store.setRegister(thread, "count", next, before))
        report.counted[thread] = (report.counted[thread] ?? 0) + 1;
      break;
    }
    default: {
      const tuple = await saver.getTuple(config(thread, random(2) === 0 ? undefined : id, namespace));
      if (tuple === undefined) break;
      const expected = valuesOf(thread, namespace, Number(tuple.metadata?.step));
      if (JSON.stringify(tuple.checkpoint.channel_values) !== JSON.stringify(expected))
        report.damaged.push(key);
    }
  }
}
await client.close();
process.stdout.write(JSON.stringify(report));
