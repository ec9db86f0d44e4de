// One of the processes of `processes.test.ts`: random calls on shared threads, and a report of what was acknowledged.
import { MongoClient } from "mongodb";

import { MongoDBSaver } from "../../src/index.js";
import { checkpoint, config, idOf, metadata } from "../support/checkpoints.js";
import {
  batchOf,
  CHECKPOINTS,
  NAMESPACES,
  TASKS,
  THREADS,
  valuesOf,
  type Job,
  type Report,
} from "./world.js";

const job = JSON.parse(process.argv[2]!) as Job;
const client = new MongoClient(job.uri);
const saver = new MongoDBSaver({ client, dbName: job.dbName, checkpointCollectionName: job.collectionName });
const report: Report = { puts: [], writes: [], specials: [], damaged: [] };

let state = job.worker * 7919 + 1;
function random(below: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

for (let at = 0; at < job.operations; at++) {
  const thread = THREADS[random(THREADS.length)]!;
  const namespace = NAMESPACES[random(NAMESPACES.length)]!;
  const number = random(CHECKPOINTS);
  const id = idOf(number);
  const key = `${thread} ${namespace} ${id}`;
  switch (random(10)) {
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
      const task = TASKS[random(TASKS.length)]!;
      await saver.putWrites(config(thread, id, namespace), batchOf(job.worker, at), task);
      report.writes.push(`${key} ${task}`);
      break;
    }
    case 7: {
      const task = TASKS[random(TASKS.length)]!;
      await saver.putWrites(config(thread, id, namespace), [["__error__", `${job.worker} ${at}`]], task);
      report.specials.push(`${key} ${task}`);
      break;
    }
    default: {
      const tuple = await saver.getTuple(config(thread, random(2) === 0 ? undefined : id, namespace));
      if (tuple === undefined) break;
      const expected = valuesOf(thread, namespace, tuple.metadata!.step);
      if (JSON.stringify(tuple.checkpoint.channel_values) !== JSON.stringify(expected))
        report.damaged.push(key);
    }
  }
}
await client.close();
process.stdout.write(JSON.stringify(report));
