// Goes on with the threads that the process before it had in memory. Started by `main.ts`.
import { Command } from "@langchain/langgraph";
import { FileSaver } from "@langgraph-savers/file";
import { inThread, says, supportDesk } from "./desk.js";

const [directory = "./checkpoints"] = process.argv.slice(2);
await using files = new FileSaver(directory);
const desk = supportDesk(files);

console.log(`\nprocess ${process.pid}, on a FileSaver:`);
const ada = await desk.invoke(says("Do you remember?"), inThread("ada"));
console.log(`  ada:   ${ada.messages.at(-1)?.text}`);
const grace = await desk.invoke(new Command({ resume: "yes" }), inThread("grace"));
console.log(`  grace: the human says yes: ${grace.messages.at(-1)?.text}`);
for await (const { threadId, checkpoints, namespaces } of files.listThreads())
  console.log(`  ${threadId.padEnd(6)} ${checkpoints} checkpoints in ${namespaces.length} namespace(s)`);
