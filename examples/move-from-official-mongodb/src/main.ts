// Threads of the official MongoDB saver move to the saver of this pack, while they are in use.
import { MongoDBSaver as OfficialMongoDBSaver } from "@langchain/langgraph-checkpoint-mongodb";
import { HumanMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { MongoDBSaver } from "@langgraph-savers/mongodb";
import { MongoClient } from "mongodb";
import { langgraphSavers } from "./command.js";
import { reportWriter } from "./report.js";

const uri = process.env["MONGODB_URI"];
if (uri === undefined) {
  console.log("Set MONGODB_URI, such as mongodb://127.0.0.1:27017");
  process.exit(1);
}
const dbName = "langgraph_savers_example_move";
const [, server = uri, , query = ""] = /^(mongodb(?:\+srv)?:\/\/[^/?]*)(\/[^?]*)?(\?.*)?$/.exec(uri) ?? [];
const store = `${server}/${dbName}${query}`;
const inThread = (threadId: string) => ({ configurable: { thread_id: threadId } });
const wants = (text: string) => ({ messages: [new HumanMessage(text)] });

const client = new MongoClient(uri);
await client.db(dbName).dropDatabase();

console.log("On the official MongoDBSaver:");
type Client = ConstructorParameters<typeof OfficialMongoDBSaver>[0]["client"];
// The official package brings a driver of its own, of another version, which takes this client too.
const official = new OfficialMongoDBSaver({ client: client as unknown as Client, dbName });
const before = reportWriter(official);
await before.invoke(wants("Lamps in 2026."), inThread("lamps"));
await before.invoke(wants("Chairs in 2026."), inThread("chairs"));
const chairs = await before.invoke(new Command({ resume: "Nothing." }), inThread("chairs"));
console.log(`  chairs: ${chairs.messages.length} messages, finished`);
console.log(`  lamps:  ${await lastOf(before, "lamps")}`);

await langgraphSavers("copy", `official-${store}`, store);

console.log("\nMeanwhile the graph goes on with the official saver:");
await before.invoke(new Command({ resume: "Shorter, please." }), inThread("lamps"));
console.log(`  lamps:  ${await lastOf(before, "lamps")}`);

console.log("\nIt is stopped, and what has changed since is copied too:");
await langgraphSavers("copy", `official-${store}`, store);

console.log("\nOn the MongoDBSaver of this pack:");
const saver = new MongoDBSaver({ client, dbName });
const after = reportWriter(saver);
console.log(`  lamps:  ${await lastOf(after, "lamps")}`);
const lamps = await after.invoke(new Command({ resume: "Nothing." }), inThread("lamps"));
console.log(`  lamps:  ${lamps.messages.length} messages, finished`);
const { checkpoints, bytes } = await saver.stats();
console.log(`  stored: ${checkpoints} checkpoints, ${bytes} bytes`);

await saver.close();
await client.db(dbName).dropDatabase();
await client.close();

/** The last message, and what the thread waits for. */
async function lastOf(graph: typeof before, threadId: string): Promise<string> {
  const { values, tasks } = await graph.getState(inThread(threadId));
  const { messages } = values as { messages: HumanMessage[] };
  return `${messages.at(-1)?.text} (asks: ${tasks[0]?.interrupts[0]?.value})`;
}
