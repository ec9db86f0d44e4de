import type { CheckpointStore } from "@langgraph-savers/core";

import { FileSaver, type Durability } from "../../src/index.js";
import { digest, digestOfState, randomFrom, text } from "../chaos/history.mjs";
import type { DiskEvent } from "./disk-model.js";
import { events } from "./recorder.js";

/** The thread in which only who has the register may put. */
export const HELD = "held";
export const REGISTER = "holder";

/** `trying` stands before a call, everything else after it was acknowledged. */
export type Ack =
  | { kind: "put" | "write"; id: string; digest: string }
  | { kind: "trying to delete" | "deleted"; ids: string[] }
  | { kind: "trying to take" | "taken"; token: string }
  | { kind: "counted"; number: number; digest: string };

/** Some threads written at once, with deletions, collections and compactions in between; what the disk was told meanwhile. */
export async function workload(folder: string, durability: Durability, seed: number): Promise<DiskEvent[]> {
  events.length = 0;
  const random = randomFrom(seed);
  const saver = new FileSaver(folder, { durability });
  await saver.setup();
  await Promise.all([
    ...["a", "b", "c"].map((thread) => write(saver, thread, random)),
    hold(saver.store, random),
  ]);
  const told = [...events];
  await saver.close();
  return told;
}

async function write(saver: FileSaver, thread: string, random: () => number): Promise<void> {
  let parent: string | undefined;
  let list: string[] = [];
  const ids: string[] = [];
  const large = text(random, 20_000);
  for (let step = 1; step <= 8; step++) {
    const id = `${thread}-${String(step).padStart(3, "0")}`;
    list = [...list, text(random, 100 + random() * 3000)];
    const values: Record<string, unknown> = { list, large };
    values["self"] = digestOfState(values);
    const changed = step === 1 ? { list: 1, large: 1, self: 1 } : { list: step, self: step };
    const written = text(random, 200);
    await Promise.all([
      saver
        .putWrites(configOf(thread, id), [["list", written]], "task")
        .then(() => acknowledge({ kind: "write", id, digest: digest(written) })),
      putState(saver, thread, id, values, { parent, step, changed }).then(() =>
        acknowledge({ kind: "put", id, digest: digestOfState(values) }),
      ),
    ]);
    const chance = random();
    if (chance < 0.15) await saver.compact(thread);
    else if (chance < 0.45 && ids.length > 0) {
      const gone = ids.splice(Math.floor(random() * ids.length), 1 + Math.floor(random() * 2));
      acknowledge({ kind: "trying to delete", ids: gone });
      const names = gone.map((checkpointId) => ({ namespace: "", checkpointId }));
      await saver.store.deleteCheckpoints(thread, names);
      acknowledge({ kind: "deleted", ids: gone });
    } else if (chance < 0.65) await saver.store.collectChunks(thread, Date.now() + 1);
    ids.push(id);
    parent = id;
  }
}

interface PutFacts {
  parent?: string | undefined;
  step: number;
  changed: Record<string, number>;
}

/** Puts a state in which all channels but `large` have the step as their version. */
export async function putState(
  saver: FileSaver,
  thread: string,
  id: string,
  values: Record<string, unknown>,
  { parent, step, changed }: PutFacts,
): Promise<void> {
  const versions = { list: step, large: 1, self: step };
  const checkpoint = {
    v: 4,
    id,
    ts: "",
    channel_values: values,
    channel_versions: versions,
    versions_seen: {},
  };
  await saver.put(configOf(thread, parent), checkpoint, { source: "loop", step, parents: {} }, changed);
}

/** Takes the register again and again, and counts on while it has it. What it tries with a former token is void. */
async function hold(store: CheckpointStore, random: () => number): Promise<void> {
  let token: string | undefined;
  let number = 0;
  for (let round = 1; round <= 8; round++) {
    const former = token;
    const next = `token-${round}`;
    acknowledge({ kind: "trying to take", token: next });
    if (!(await store.setRegister(HELD, REGISTER, next, former))) throw new Error(`${next} was refused`);
    acknowledge({ kind: "taken", token: next });
    token = next;
    const counting = Array.from({ length: 1 + Math.floor(random() * 2) }, async () => {
      number += 1;
      const [own, body] = [number, text(random, 300)];
      const { committed } = await putNumber(store, own, body, next);
      if (!committed) throw new Error(`number ${own} was refused`);
      acknowledge({ kind: "counted", number: own, digest: digest(body) });
    });
    const late = former === undefined ? [] : [putNumber(store, 1000 + round, "late", former)];
    await Promise.all([...counting, ...late]);
    for (const { fenced } of await Promise.all(late)) if (fenced !== true) throw new Error("not fenced");
    if (random() < 0.2) await store.collectChunks(HELD, Date.now() + 1);
  }
}

export function putNumber(
  store: CheckpointStore,
  number: number,
  body: string,
  token: string,
): ReturnType<CheckpointStore["putCheckpoint"]> {
  const key = { threadId: HELD, namespace: "", checkpointId: String(number) };
  const record = { ...key, createdAt: Date.now(), labels: {}, chunks: [], body: Buffer.from(body) };
  return store.putCheckpoint(record, [], { registers: { [REGISTER]: token } });
}

function configOf(thread: string, id?: string): { configurable: Record<string, string | undefined> } {
  return { configurable: { thread_id: thread, checkpoint_ns: "", checkpoint_id: id } };
}

function acknowledge(ack: Ack): void {
  events.push({ kind: "ack", ack });
}
