import { digest, digestOfState, text, THREADS } from "./history.mjs";

/**
 * Goes on with threads from their newest checkpoint, and now and then deletes some that it has put. Each call is one step.
 *
 * @param {import("@langgraph-savers/file").FileSaver} saver
 * @param {string} name
 * @param {() => number} random
 * @param {(message: import("./history.mjs").Message) => void} tell
 * @returns {(round: number) => Promise<void>}
 */
export function writer(saver, name, random, tell) {
  /** @type {{ thread: string, ns: string, id: string }[]} */
  const own = [];

  const deleteSome = async () => {
    const from = Math.floor(random() * own.length);
    const { thread } = /** @type {(typeof own)[number]} */ (own[from]);
    const chosen = own.slice(from, from + 4).filter((each) => each.thread === thread);
    for (const each of chosen) own.splice(own.indexOf(each), 1);
    const ids = chosen.map(({ id }) => id);
    tell({ kind: "deleting", ids });
    const names = chosen.map(({ ns, id }) => ({ namespace: ns, checkpointId: id }));
    await saver.store.deleteCheckpoints(thread, names);
    tell({ kind: "deleted", ids });
  };

  return async (round) => {
    const thread = /** @type {string} */ (THREADS[Math.floor(random() * THREADS.length)]);
    const ns = random() < 0.2 ? "child" : "";
    const tuple = await saver.getTuple({ configurable: { thread_id: thread, checkpoint_ns: ns } });
    const before = tuple?.checkpoint.channel_values ?? {};
    const versions = { ...tuple?.checkpoint.channel_versions };
    const parent = tuple?.checkpoint.id;
    const id = `${String(Date.now()).padStart(15, "0")}-${name}-${String(round).padStart(6, "0")}`;
    /** @type {Record<string, unknown>} */
    const values = { ...before };
    /** @type {Record<string, number>} */
    const changed = {};
    const list = /** @type {string[]} */ (before["list"] ?? []);
    const change = { list: [...list.slice(-30), text(random, 40 + random() * 400)] };
    if (before["large"] === undefined || random() < 0.05)
      Object.assign(change, { large: text(random, 15_000) });
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
    const write = text(random, random() < 0.2 ? 5000 : 50);
    // Writes often arrive before their checkpoint; they count once acknowledged, whatever becomes of it.
    const early = random() < 0.5;
    const putWrites = async () => {
      const target = { configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id } };
      await saver.putWrites(target, [["list", write]], `task-${name}`);
      tell({ kind: "writes", thread, ns, id, task: `task-${name}`, digest: digest(write) });
    };
    if (early) await putWrites();
    await saver.put(config, checkpoint, { source: "loop", step: round, parents: {} }, changed);
    tell({ kind: "put", thread, ns, id, digest: digestOfState(values) });
    if (!early) await putWrites();
    own.push({ thread, ns, id });
    if (random() < 0.15) await deleteSome();
  };
}
