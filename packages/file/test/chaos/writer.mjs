// A writer that is killed at any moment. It tells its parent of every call that was acknowledged, and of nothing else.
import { writeSync } from "node:fs";
import { FileSaver } from "@langgraph-savers/file";
import { digest, digestOfState, randomFrom, text } from "./history.mjs";

const [root, name, seed, durability] = process.argv.slice(2);
const random = randomFrom(Number(seed));
const saver = new FileSaver(String(root), { durability: /** @type {"sync"} */ (durability) });
const THREADS = 6;
writeSync(1, "ready\n");

/** @param {object} ack */
function acknowledge(ack) {
  writeSync(1, `${JSON.stringify(ack)}\n`);
}

for (let n = 0; ; n++) {
  const thread = `thread/${Math.floor(random() * THREADS)}`;
  const ns = random() < 0.2 ? "child" : "";
  const tuple = await saver.getTuple({ configurable: { thread_id: thread, checkpoint_ns: ns } });
  const before = tuple?.checkpoint.channel_values ?? {};
  const versions = { ...tuple?.checkpoint.channel_versions };
  const parent = tuple?.checkpoint.id;
  const id = `${String(Date.now()).padStart(15, "0")}-${name}-${String(n).padStart(6, "0")}`;
  /** @type {Record<string, unknown>} */
  const values = { ...before };
  /** @type {Record<string, number>} */
  const changed = {};
  const list = /** @type {string[]} */ (before["list"] ?? []);
  const change = { list: [...list.slice(-60), text(random, 40 + random() * 400)] };
  if (before["large"] === undefined || random() < 0.05)
    Object.assign(change, { large: text(random, 30_000) });
  Object.assign(values, change);
  Object.assign(values, { self: digestOfState(values) });
  for (const channel of [...Object.keys(change), "self"]) {
    versions[channel] = changed[channel] = Number(versions[channel] ?? 0) + 1;
  }
  const checkpoint = {
    v: 4,
    id,
    ts: "",
    channel_values: values,
    channel_versions: versions,
    versions_seen: {},
  };
  const config = { configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: parent } };
  const own = { configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id } };
  const write = text(random, random() < 0.2 ? 5000 : 50);
  // Writes often arrive before their checkpoint; they count once acknowledged, whatever becomes of it.
  const early = random() < 0.5;
  const putWrites = async () => {
    await saver.putWrites(own, [["list", write]], `task-${name}`);
    acknowledge({ kind: "writes", thread, ns, id, task: `task-${name}`, digest: digest(write) });
  };
  if (early) await putWrites();
  await saver.put(config, checkpoint, { source: "loop", step: n, parents: {} }, changed);
  acknowledge({ kind: "put", thread, ns, id, digest: digestOfState(values) });
  if (!early) await putWrites();
}
