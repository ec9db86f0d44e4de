// A graph takes a turn four times a second. You stop its database, and start it again; the graph does not stop.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ReplicatedSaver } from "@langgraph-savers/core";
import { FileSaver } from "@langgraph-savers/file";
import { MongoDBSaver } from "@langgraph-savers/mongodb";
import { MongoClient } from "mongodb";
import { counter, thread } from "./counter.js";
import { describe, show } from "./show.js";

const uri = process.env["MONGODB_URI"];
if (uri === undefined) {
  console.log("Set MONGODB_URI to a server that you can stop, such as mongodb://127.0.0.1:27017");
  process.exit(1);
}
const directory = process.argv[2] ?? mkdtempSync(join(tmpdir(), "langgraph-savers-replica-"));
const patience = { serverSelectionTimeoutMS: 1000, connectTimeoutMS: 1000 };
const client = new MongoClient(uri, patience);
const place = { dbName: "langgraph_savers_example", checkpointCollectionName: `replica_${process.pid}` };
// With a second saver at hand there is no point in waiting long for the first.
const primary = new MongoDBSaver({ client, ...place, retryTimeoutMs: 0 });
const secondary = new FileSaver(directory);

const alone = await counter(primary).invoke({}, thread);
console.log(`turn ${alone.turns}, on MongoDB alone\n`);

await using saver = new ReplicatedSaver({
  primary,
  secondary,
  mode: "async",
  timeoutMs: 2000,
  checkIntervalMs: 500,
  failbackDelayMs: 1000,
  onEvent: (event) => console.log(`  → ${describe(event)}`),
});
const graph = counter(saver);
console.log(`A directory is its secondary from now on: ${directory}`);
await saver.resync();
show(saver.status());

console.log("\nStop the MongoDB server now.");
await turnsUntil(() => saver.status().active === "secondary");
await turns(3);
show(saver.status());

console.log("\nStart it again.");
await turnsUntil(() => saver.status().active === "primary");
await turns(2);

console.log("\nBoth sides, compared:");
const { threads, toPrimary, toSecondary } = await saver.resync();
const copied = toPrimary.checkpoints + toSecondary.checkpoints;
console.log(`  ${threads} thread, ${copied} checkpoints of it were missing or differed`);
for (const [name, side] of Object.entries({ primary, secondary }))
  console.log(`  ${name.padEnd(9)}  ${(await counter(side).getState(thread)).values.turns} turns`);

await saver.close();
await secondary.close();
await client.db(place.dbName).collection(place.checkpointCollectionName).drop();
await client.close();

async function turn(): Promise<string> {
  const start = performance.now();
  const result = await graph.invoke({}, { ...thread, durability: "sync" });
  return `  turn ${result.turns}, ${Math.round(performance.now() - start)} ms`;
}

async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    console.log(await turn());
    await setTimeout(250);
  }
}

/** Goes on for as long as it takes, and says little of it. */
async function turnsUntil(isSo: () => boolean): Promise<void> {
  for (let at = 0; !isSo(); at++) {
    const line = await turn();
    if (at < 3) console.log(line);
    if (at === 3) console.log("  …");
    await setTimeout(250);
  }
}
