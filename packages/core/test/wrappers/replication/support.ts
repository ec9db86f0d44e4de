import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { vi } from "vitest";

import {
  InMemorySaver,
  ReplicatedSaver,
  type ReplicatedSaverOptions,
  type ReplicationEvent,
} from "../../../src/index.js";
import { checkpoint, config, metadata } from "../../support.js";
import { FaultySaver } from "./faulty-saver.js";

export interface Replicated {
  saver: ReplicatedSaver;
  primary: FaultySaver;
  secondary: FaultySaver;
  events: ReplicationEvent[];
  /** The types of the events so far. */
  types: () => string[];
}

const open: { saver: ReplicatedSaver; sides: FaultySaver[] }[] = [];

type Options = Partial<Omit<ReplicatedSaverOptions, "primary" | "secondary">>;

/** Two savers that can be made to fail, replicated. Health checks are far apart unless told: a test makes its own time. */
export function replicate(options: Options = {}, inner: BaseCheckpointSaver[] = []): Replicated {
  const primary = new FaultySaver(inner[0] ?? new InMemorySaver());
  const secondary = new FaultySaver(inner[1] ?? new InMemorySaver());
  const events: ReplicationEvent[] = [];
  const saver = new ReplicatedSaver({
    mode: "sync",
    checkIntervalMs: 3_600_000,
    onEvent: (event) => events.push(event),
    ...options,
    primary,
    secondary,
  });
  open.push({ saver, sides: [primary, secondary] });
  return { saver, primary, secondary, events, types: () => events.map(({ type }) => type) };
}

/** For `afterEach`: nothing goes on after a test. */
export async function closeAll(): Promise<void> {
  vi.useRealTimers();
  for (const { saver, sides } of open.splice(0)) {
    for (const side of sides) side.restart();
    await saver.close();
  }
}

/** Puts a checkpoint with its values, and returns its id. */
export async function putOne(
  saver: BaseCheckpointSaver,
  threadId: string,
  values: Record<string, unknown> = { a: 1 },
  parent?: string,
): Promise<string> {
  const one = checkpoint(values);
  await saver.put(config(threadId, parent), one, metadata(), { ...one.channel_versions });
  return one.id;
}

export async function idsOf(saver: BaseCheckpointSaver, threadId?: string): Promise<string[]> {
  const tuples = await all(saver, threadId);
  return tuples.map((tuple) => tuple.checkpoint.id);
}

export async function all(saver: BaseCheckpointSaver, threadId?: string): Promise<CheckpointTuple[]> {
  const tuples: CheckpointTuple[] = [];
  const which = threadId === undefined ? {} : { configurable: { thread_id: threadId } };
  for await (const tuple of saver.list(which)) tuples.push(tuple);
  return tuples;
}

/** Gives everything that waits its turn until the condition holds; a machine's speed makes no difference. */
export async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 10_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error("The condition did not come true");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** For tests in which time matters: it stands still but for `vi.advanceTimersByTimeAsync`. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
}

/** Resolves when nothing waits for either side any more. */
export async function drained(saver: ReplicatedSaver): Promise<void> {
  await until(() => !saver.status().degraded);
}
