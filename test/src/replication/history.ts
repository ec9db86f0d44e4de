import { isDeepStrictEqual } from "node:util";

import { INTERRUPT, type CheckpointTuple } from "@langchain/langgraph-checkpoint";

interface Sent {
  value: unknown;
  /** False: the call was refused, or is under way, and what it writes may be there or not. */
  isAcknowledged: boolean;
}

interface KnownCheckpoint extends Sent {
  parent: string | undefined;
  /** By task and channel, in the order in which they were sent. */
  writes: Map<string, Sent[]>;
}

/** What must be there of one thread, and what may be, by the answers that its writer got. */
export class ThreadHistory {
  readonly #checkpoints = new Map<string, KnownCheckpoint>();

  /** The newest checkpoint that was acknowledged: no read may miss it. */
  get latest(): string | undefined {
    const certain = [...this.#checkpoints].filter(([, { isAcknowledged }]) => isAcknowledged);
    return certain
      .map(([id]) => id)
      .toSorted()
      .at(-1);
  }

  put(id: string, parent: string | undefined, value: unknown): Sent {
    const known: KnownCheckpoint = { value, parent, isAcknowledged: false, writes: new Map() };
    this.#checkpoints.set(id, known);
    return known;
  }

  /** Sends of a regular write must have one value; an interrupt may change. */
  write(id: string, taskId: string, channel: string, value: unknown): Sent {
    const { writes } = this.#checkpoints.get(id)!;
    const sent = { value, isAcknowledged: false };
    const key = JSON.stringify([taskId, channel]);
    writes.set(key, [...(writes.get(key) ?? []), sent]);
    return sent;
  }

  delete(isAcknowledged: boolean): void {
    if (isAcknowledged) this.#checkpoints.clear();
    for (const known of this.#checkpoints.values()) {
      for (const sent of [known, ...[...known.writes.values()].flat()]) sent.isAcknowledged = false;
    }
  }

  /** Everything that a list of the thread shows wrongly, in words. */
  problems(tuples: CheckpointTuple[]): string[] {
    const found = new Map(tuples.map((tuple) => [tuple.checkpoint.id, tuple]));
    const back = [...found.keys()].filter((id) => !this.#checkpoints.has(id));
    return [
      ...back.map((id) => `${id} came back`),
      ...[...this.#checkpoints].flatMap(([id, known]) => {
        const tuple = found.get(id);
        if (tuple === undefined) return known.isAcknowledged ? [`${id} is lost`] : [];
        return problemsOf(known, tuple).map((problem) => `${id}: ${problem}`);
      }),
    ];
  }
}

function problemsOf(known: KnownCheckpoint, tuple: CheckpointTuple): string[] {
  const problems: string[] = [];
  if (!isDeepStrictEqual(tuple.checkpoint.channel_values["state"], known.value))
    problems.push("another value");
  if (tuple.parentConfig?.configurable?.["checkpoint_id"] !== known.parent) problems.push("another parent");
  const found = new Map<string, unknown[]>();
  for (const [task, channel, value] of tuple.pendingWrites ?? []) {
    const key = JSON.stringify([task, channel]);
    found.set(key, [...(found.get(key) ?? []), value]);
  }
  for (const [key, values] of found) {
    if (!known.writes.has(key)) problems.push(`${key} came back`);
    if (values.length > 1) problems.push(`${key} is there twice`);
  }
  for (const [key, sent] of known.writes) {
    const certain = sent.findLastIndex(({ isAcknowledged }) => isAcknowledged);
    const values = found.get(key);
    if (values === undefined) {
      if (certain !== -1) problems.push(`${key} is lost`);
      continue;
    }
    // Of a regular write the first counts, which all sends of it share; of an interrupt the last, or one not acknowledged.
    const possible = key.includes(INTERRUPT) ? sent.slice(Math.max(certain, 0)) : sent;
    if (!possible.some(({ value }) => isDeepStrictEqual(value, values[0])))
      problems.push(`${key} is an old one`);
  }
  return problems;
}
