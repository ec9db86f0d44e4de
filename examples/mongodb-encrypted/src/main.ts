// A saver on MongoDB whose threads expire and whose content the database cannot read; then its key is rotated.
import { randomBytes } from "node:crypto";
import { Annotation, START, StateGraph } from "@langchain/langgraph";
import { MongoDBSaver, type MongoDBOptions } from "@langgraph-savers/mongodb";
import { MongoClient } from "mongodb";

const uri = process.env["MONGODB_URI"];
if (uri === undefined) {
  console.log("Set MONGODB_URI, such as mongodb://127.0.0.1:27017");
  process.exit(1);
}
const client = new MongoClient(uri);
const place = {
  client,
  dbName: "langgraph_savers_example",
  checkpointCollectionName: `notes_${process.pid}`,
};

const State = Annotation.Root({
  notes: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});
const graphOn = (checkpointer: MongoDBSaver) =>
  new StateGraph(State)
    .addNode("note", ({ notes }) => ({ notes: [`secret ${notes.length + 1}`] }))
    .addEdge(START, "note")
    .compile({ checkpointer });

// In earnest: from your key management, never from the code.
const january = { id: "2026-01", key: randomBytes(32) };
const february = { id: "2026-02", key: randomBytes(32) };
const saverWith = (encryption: MongoDBOptions["encryption"]) =>
  new MongoDBSaver({ ...place, ttl: 30 * 24 * 3600, ...(encryption === undefined ? {} : { encryption }) });
const thread = { configurable: { thread_id: "ada" } };

const first = await graphOn(saverWith({ keys: [january] })).invoke({}, thread);
console.log(`written under ${january.id}: ${first.notes.join(", ")}`);

const documents = client.db(place.dbName).collection(place.checkpointCollectionName);
let readable = 0;
for await (const document of documents.find()) if (JSON.stringify(document).includes("secret")) readable += 1;
console.log(
  `documents in the database: ${await documents.countDocuments()}, with a readable secret: ${readable}`,
);

// The new key comes first: it encrypts from now on. The old one still reads what is there.
const rotated = await graphOn(saverWith({ keys: [february, january] })).invoke({}, thread);
console.log(`after the rotation: ${rotated.notes.join(", ")}`);

try {
  await saverWith({ keys: [january] }).getTuple(thread);
} catch (error) {
  console.log(`with the old key alone: ${(error as { code?: string }).code}`);
}
await documents.drop();
await client.close();
