// One of the storm's processes. It starts without a part, so that its start costs nobody time, and is told by a line on
// its standard input what to play until it is killed.
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { FileSaver } from "@langgraph-savers/file";
import { compact } from "./compactor.mjs";
import { hold } from "./holder.mjs";
import { randomFrom } from "./history.mjs";
import { writer } from "./writer.mjs";

/** Tells the parent what was acknowledged, or is about to be asked for. @param {import("./history.mjs").Message} message */
function tell(message) {
  writeSync(1, `${JSON.stringify(message)}\n`);
}

writeSync(1, "ready\n");
const [line] = await new Promise((resolve) => {
  // Where the storm itself was ended, nobody is left to kill it.
  const lines = createInterface({ input: process.stdin }).once("close", () => process.exit());
  lines.once("line", (...first) => resolve(first));
});
const { root, name, seed, durability } = /** @type {import("./history.mjs").Part} */ (JSON.parse(line));
const random = randomFrom(seed);
if (durability === undefined) {
  await compact(new FileSaver(root), random);
} else {
  // Without a memory of its own a writer relies on chunks only from the moment it reads the record that has them.
  const saver = new FileSaver(root, { durability, cacheBytes: 0 });
  await saver.setup();
  const write = writer(saver, name, random, tell);
  for (let round = 0; ; round++) {
    if (random() < 0.3) await hold(saver.store, `${name}.${round}`, random, tell);
    else await write(round);
  }
}
