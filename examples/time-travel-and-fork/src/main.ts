// Runs a graph, looks at its history, and goes on from the middle of it in a thread of its own, with another state.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileSaver } from "@langgraph-savers/file";
import { tripPlanner } from "./trip.js";

const directory = process.argv[2] ?? mkdtempSync(join(tmpdir(), "langgraph-savers-trip-"));
await using saver = new FileSaver(directory);
const graph = tripPlanner(saver);
const thread = { configurable: { thread_id: "trip" } };

const { plan } = await graph.invoke({ city: "Lisbon", days: 3 }, thread);
console.log(`the plan:      ${plan.join(", ")}`);

console.log("its history:");
for await (const { metadata, next, config } of graph.getStateHistory(thread))
  console.log(
    `  step ${metadata?.step}, next: ${next.join() || "(end)"}, ${config.configurable?.["checkpoint_id"]}`,
  );

// The state as it was before the second node ran.
const then = await saver.getAtOrBefore("trip", { step: 1 });
if (then === undefined) throw new Error("Step 1 is not there.");
console.log(`at step 1:     ${JSON.stringify(then.checkpoint.channel_values["plan"])}`);

// A new thread that starts there, but with more days.
const fork = await saver.fork(then.config, { edits: { days: 7 }, threadId: "longer-trip" });
const longer = await graph.invoke(null, fork);
console.log(`the fork:      ${longer.plan.join(", ")}`);
console.log(`the first one: ${(await graph.getState(thread)).values.plan.join(", ")}`);

const start = await saver.getAtOrBefore("longer-trip", { step: 1 });
const { forked_from: origin } = (start?.metadata ?? {}) as { forked_from?: unknown };
console.log(`it says where from: ${JSON.stringify(origin)}`);

// History costs space: keep what is needed to go on.
const { deleted, kept } = await saver.prune("all", { keepLast: 1 });
console.log(`pruned:        ${deleted} checkpoints, ${kept} stay`);
