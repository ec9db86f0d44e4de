// Threads of the official SQLite saver move to files, one of them in the middle of a question to a human.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "@langchain/langgraph";
import { FileSaver } from "@langgraph-savers/file";
import { bookingAgent } from "./booking.js";
import { langgraphSavers } from "./command.js";
import { openOfficial } from "./official.js";

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), "langgraph-savers-sqlite-"));
const [database, directory] = [join(folder, "old.db"), join(folder, "checkpoints")];
const inThread = (threadId: string) => ({ configurable: { thread_id: threadId } });
let searches = 0;
const onSearch = (): void => {
  searches += 1;
};

console.log(`On the official SqliteSaver, ${database}:`);
const official = openOfficial(database);
const before = bookingAgent(official.saver, onSearch);
await before.invoke({ city: "Porto" }, inThread("porto"));
const porto = await before.invoke(new Command({ resume: "yes" }), inThread("porto"));
console.log(`  porto:  ${porto.log.at(-1)}`);
await before.invoke({ city: "Lisbon" }, inThread("lisbon"));
const { tasks } = await before.getState(inThread("lisbon"));
const question = tasks.flatMap(({ interrupts }) => interrupts)[0]?.value;
console.log(`  lisbon: waits for a human: ${question}`);
console.log(`  hotels were searched ${searches} times`);
official.close();

await langgraphSavers("copy", `official-sqlite:${database}`, `file:${directory}`, "--dry-run");
await langgraphSavers("copy", `official-sqlite:${database}`, `file:${directory}`);
await langgraphSavers("threads", `file:${directory}`);

console.log("\nOn a FileSaver:");
await using saver = new FileSaver(directory);
const after = bookingAgent(saver, onSearch);
const lisbon = await after.invoke(new Command({ resume: "yes" }), inThread("lisbon"));
for (const line of lisbon.log) console.log(`  lisbon: ${line}`);
console.log(`  hotels were searched ${searches} times: the search was not done again`);
