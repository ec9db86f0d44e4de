// What has to be measured in a process of its own. It is bundled before: nothing is compiled while the clock runs.
import { chat, CHAT_CONFIG } from "../workloads/chat.js";
import { subjectOf } from "../subjects/registry.js";
import type { ChildReport, ChildTask } from "./task.js";

const libraries = performance.now();
const task = JSON.parse(process.argv[2]!) as ChildTask;
const before = process.memoryUsage.rss();
const opened = await subjectOf(task.subject).open(task.place);
const { graph, turns } = chat(opened.saver, task.messageBytes);
const { values } = await graph.getState(CHAT_CONFIG);
const state = performance.now();
const found = (values as { messages?: unknown[] }).messages?.length ?? 0;
await turns(task.turns, found);
const end = performance.now();
await opened.close();
const rss = process.resourceUsage().maxRSS * 1024 - before;
const report: ChildReport = { found, libraries, state, end, rss };
process.stdout.write(JSON.stringify(report));
