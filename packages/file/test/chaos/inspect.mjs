// What a storm has left, against what its processes told.
import { FileSaver } from "@langgraph-savers/file";
import { digest, digestOfState, HOLDING_THREADS } from "./history.mjs";

/**
 * @typedef {import("./history.mjs").Message} Message
 * @typedef {{ acknowledged: number, checkpoints: number, deleted: number, takeovers: number, lost: number,
 *   unreadable: number, foreign: number, resurrected: number, unfenced: number }} Figures
 */

/**
 * @param {string} root
 * @param {Message[]} told
 * @returns {Promise<Figures & { problems: string[] }>}
 */
export async function inspect(root, told) {
  const saver = new FileSaver(root);
  await saver.setup();
  /** @type {string[]} */
  const problems = [];
  const figures = {
    acknowledged: told.filter(({ kind }) => !kind.endsWith("ing") && kind !== "refused").length,
    checkpoints: 0,
    deleted: 0,
    takeovers: 0,
    lost: 0,
    unreadable: 0,
    foreign: 0,
    resurrected: 0,
    unfenced: 0,
  };
  await inspectThreads(saver, told, figures, problems);
  for (const thread of HOLDING_THREADS) await inspectHolding(saver, thread, told, figures, problems);
  await saver.close();
  return { ...figures, problems };
}

/**
 * @param {FileSaver} saver
 * @param {Message[]} told
 * @param {Figures} figures
 * @param {string[]} problems
 */
async function inspectThreads(saver, told, figures, problems) {
  /** @type {Map<string, { state: string, writes: Map<string, string> }>} */
  const found = new Map();
  for await (const { threadId } of saver.listThreads()) {
    if (HOLDING_THREADS.includes(threadId)) continue;
    try {
      for await (const tuple of saver.list({ configurable: { thread_id: threadId } })) {
        figures.checkpoints += 1;
        const values = tuple.checkpoint.channel_values;
        const state = digestOfState(values);
        if (state !== values["self"]) {
          figures.foreign += 1;
          problems.push(`${tuple.checkpoint.id} of ${threadId} holds a state that nobody put`);
        }
        const ns = tuple.config.configurable?.["checkpoint_ns"];
        const writes = new Map((tuple.pendingWrites ?? []).map(([task, , value]) => [task, digest(value)]));
        found.set(JSON.stringify([threadId, ns, tuple.checkpoint.id]), { state, writes });
      }
    } catch (error) {
      figures.unreadable += 1;
      problems.push(`${threadId}: ${String(error)}`);
    }
  }
  /** @param {Message["kind"]} asked */
  const ids = (asked) =>
    new Set(told.flatMap((each) => (each.kind === asked && "ids" in each ? each.ids : [])));
  const [deleting, deleted] = [ids("deleting"), ids("deleted")];
  const put = new Set(told.flatMap((each) => (each.kind === "put" ? [each.id] : [])));
  figures.deleted = deleted.size;
  for (const message of told) {
    if (message.kind !== "put" && message.kind !== "writes") continue;
    const { kind, thread, ns, id, digest: expected } = message;
    const there = found.get(JSON.stringify([thread, ns, id]));
    if (deleted.has(id) && there !== undefined && kind === "put") {
      figures.resurrected += 1;
      problems.push(`${id} in ${thread} was deleted, and is there`);
    }
    // Being deleted when its writer was killed: it is there as a whole, or not at all.
    if (deleting.has(id) && there === undefined) continue;
    // Writes of a checkpoint that was never put have nobody to show them.
    if (kind === "writes" && !put.has(id) && there === undefined) continue;
    const actual = kind === "put" ? there?.state : there?.writes.get(message.task);
    if (actual === expected) continue;
    figures.lost += 1;
    problems.push(`${kind} of ${id} in ${thread}: expected ${expected}, found ${actual}`);
  }
}

/**
 * @param {FileSaver} saver
 * @param {string} thread
 * @param {Message[]} all
 * @param {Figures} figures
 * @param {string[]} problems
 */
async function inspectHolding({ store }, thread, all, figures, problems) {
  const told = all.filter((message) => "thread" in message && message.thread === thread);
  /** @type {Map<number, string>} */
  const stored = new Map();
  for (let cursor; ;) {
    const page = await store.listCheckpoints({
      threadId: thread,
      limit: 1000,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const { checkpointId, checkpoint } of page.items)
      stored.set(Number(checkpointId), digest(Buffer.from(checkpoint?.body ?? []).toString()));
    if ((cursor = page.cursor) === undefined) break;
  }
  figures.checkpoints += stored.size;
  if (stored.size > 0 && Math.max(...stored.keys()) !== stored.size) {
    figures.lost += 1;
    problems.push(`${thread} has ${stored.size} numbers up to ${Math.max(...stored.keys())}`);
  }
  for (const message of told) {
    if (message.kind !== "counted" || stored.get(message.number) === message.digest) continue;
    figures.unfenced += 1;
    problems.push(`number ${message.number} in ${thread} is not what was acknowledged`);
  }
  const taken = told.flatMap((message) => (message.kind === "taken" ? [message] : []));
  const refused = new Set(told.flatMap((message) => (message.kind === "refused" ? [message.token] : [])));
  figures.takeovers += taken.length;
  for (const from of new Set(taken.map((each) => each.from))) {
    const takers = taken.filter((each) => each.from === from);
    if (takers.length === 1) continue;
    figures.unfenced += 1;
    problems.push(`${takers.length} took ${thread} over from ${JSON.stringify(from)}`);
  }
  const holder = (await store.getRegister(thread, "holder")) ?? "";
  const may = told.some((message) => message.kind === "taking" && message.token === holder);
  if ((taken.length > 0 && !may) || refused.has(holder) || taken.some((each) => each.from === holder)) {
    figures.lost += 1;
    problems.push(`${thread} is held by ${JSON.stringify(holder)}, which it was taken from`);
  }
  const former = taken.find(({ token }) => token !== holder);
  if (former === undefined) return;
  const key = { threadId: thread, namespace: "", checkpointId: "late" };
  const late = await store.putCheckpoint(
    { ...key, createdAt: Date.now(), labels: {}, chunks: [], body: Buffer.from("late") },
    [],
    { registers: { holder: former.token } },
  );
  if (late.committed || late.fenced !== true) {
    figures.unfenced += 1;
    problems.push(`a former holder of ${thread} could put`);
  }
}
