// One job from end to end: an agent, a human's approval, a hard kill, a resume, a look back and a fork.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Command } from "@langchain/langgraph";
import { refundAgent } from "./agent.js";

const directory = process.argv[2] ?? mkdtempSync(join(tmpdir(), "langgraph-savers-demo-"));
const thread = { configurable: { thread_id: "order-1042" } };
const plain = process.env["NO_COLOR"] !== undefined || !process.stdout.isTTY;
const bold = (text: string): string => (plain ? text : `\u001B[1m${text}\u001B[22m`);
const dim = (text: string): string => (plain ? text : `\u001B[2m${text}\u001B[22m`);
const say = (text = ""): void => console.log(text);

say(bold("1. A process runs the agent until it needs a human"));
const script = fileURLToPath(new URL("first-process.ts", import.meta.url));
const child = spawn(process.execPath, ["--import", "tsx", script, directory, "order-1042"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = once(child, "exit");
for await (const line of createInterface({ input: child.stdout })) if (line === "waiting") break;
say(`   process ${child.pid} asks: Refund 89.90 EUR for order 1042?`);

say(bold("\n2. It is killed (SIGKILL: no handler runs, nothing is flushed)"));
child.kill("SIGKILL");
const [, signal] = (await ended) as [number | null, string];
say(`   process ${child.pid} ended by ${signal}`);

say(bold("\n3. A new process opens the directory and goes on where the other one stopped"));
const graph = refundAgent(directory);
const waiting = await graph.getState(thread);
say(`   found ${waiting.values.messages.length} messages, next: ${waiting.next.join(", ")}`);
const done = await graph.invoke(
  new Command({ resume: { approved: true, note: "photo looks bad indeed" } }),
  thread,
);
for (const message of done.messages) say(`   ${dim(message.getType().padEnd(6))} ${message.text}`);

say(bold("\n4. Back in time: every step is still there"));
const history = [];
for await (const state of graph.getStateHistory(thread)) history.push(state);
for (const state of history)
  say(`   step ${String(state.metadata?.step).padStart(2)}  next: ${state.next.join(", ") || "(end)"}`);

say(bold("\n5. A fork from the moment of the question, with the other answer"));
const asked = history.find((state) => state.next[0] === "approve");
if (asked === undefined) throw new Error("The step that asked is not in the history.");
const fork = await graph.updateState(asked.config, null, "__copy__");
await graph.invoke(null, fork);
const other = await graph.invoke(
  new Command({ resume: { approved: false, note: "the photo shows another lamp" } }),
  thread,
);
say(`   the fork ends:     ${other.messages.at(-1)?.text}`);
const tip = history[0]!;
say(`   the first answer:  ${(await graph.getState(tip.config)).values.messages.at(-1)?.text}`);

say(bold("\nWhere it is"));
let total = 0;
for (const path of files(directory)) {
  const { size } = statSync(path);
  total += size;
  say(`   ${String(size).padStart(7)} bytes  ${relative(directory, path)}`);
}
say(`   ${String(total).padStart(7)} bytes in all, in ${directory}`);
say(dim(`   jq -c '[.kind, .step, .source, .id]' ${join(directory, "threads", "*", "*.log")}`));

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path) : [path];
  });
}
