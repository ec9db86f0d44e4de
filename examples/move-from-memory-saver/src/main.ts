// A process whose threads are in a MemorySaver copies them to files before it ends; the next process goes on with them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { FileSaver } from "@langgraph-savers/file";
import { inThread, says, supportDesk } from "./desk.js";
import { copyThreads } from "./move.js";

const directory = process.argv[2] ?? mkdtempSync(join(tmpdir(), "langgraph-savers-move-"));

console.log(`process ${process.pid}, on a MemorySaver:`);
const memory = new MemorySaver();
const desk = supportDesk(memory);
await desk.invoke(says("I am Ada."), inThread("ada"));
const { messages } = await desk.invoke(says("I like lamps."), inThread("ada"));
console.log(`  ada:   ${messages.at(-1)?.text}`);
await desk.invoke(says("My lamp is broken, I want a refund."), inThread("grace"));
const { tasks } = await desk.getState(inThread("grace"));
console.log(`  grace: waits for a human: ${tasks[0]?.interrupts[0]?.value}`);

console.log(`\nmoves to ${directory}:`);
{
  await using files = new FileSaver(directory);
  const copied = await copyThreads(memory, files);
  console.log(
    `  copied:    ${copied.threads} threads, ${copied.checkpoints} checkpoints, ${copied.writes} writes`,
  );
  const missing = await copyThreads(memory, files);
  console.log(
    `  compared:  ${missing.checkpoints} checkpoints and ${missing.writes} writes are missing or differ`,
  );
}

// What is in memory ends with the process. That the files hold all of it is shown by one that never saw the MemorySaver.
const next = fileURLToPath(new URL("next-process.ts", import.meta.url));
const child = spawn(process.execPath, ["--import", "tsx", next, directory], { stdio: "inherit" });
const [code] = (await once(child, "exit")) as [number | null];
process.exitCode = code ?? 1;
