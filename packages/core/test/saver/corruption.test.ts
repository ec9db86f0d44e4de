import { describe, expect, it } from "vitest";

import { InMemorySaver, isSaverError, type CheckpointRecord, type WritesRecord } from "../../src/index.js";
import { checkpoint, config, metadata, pseudoRandomText } from "../support.js";
import { TamperingStore, type Tamper } from "./tampering-store.js";

/** With every kind of stored thing twice this makes 12,000 cases. */
const CASES = 6000;

const DETECTED = new Set([
  "CHECKPOINT_DAMAGED",
  "FORMAT_TOO_NEW",
  "ENCRYPTION_KEY_MISSING",
  "ENCRYPTION_REQUIRED",
]);

class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }
  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

/** Other bytes than these, of one of the kinds that broken disks and hands make. */
function mangled(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  const copy = Buffer.from(bytes);
  switch (random.below(6)) {
    case 0:
      copy[random.below(copy.length)]! ^= 1 << random.below(8);
      return copy;
    case 1:
      copy[random.below(copy.length)]! ^= 1 + random.below(255);
      return copy;
    case 2:
      return copy.subarray(0, random.below(copy.length));
    case 3:
      return Buffer.concat([copy, Buffer.from([random.below(256)])]);
    case 4: {
      const at = random.below(copy.length);
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + 1)]);
    }
    default:
      return copy.equals(other) ? copy.subarray(1) : other;
  }
}

function alteredRecord(record: CheckpointRecord, other: CheckpointRecord, random: Random): CheckpointRecord {
  const { parentId: _, ...orphan } = record;
  const alterations: (() => CheckpointRecord)[] = [
    () => ({ ...record, body: mangled(record.body, other.body, random) }),
    () => ({ ...record, body: mangled(record.body, other.body, random) }),
    () => ({ ...record, parentId: `${record.parentId ?? ""}x` }),
    () => (record.parentId === undefined ? { ...record, parentId: "y" } : orphan),
    () => ({ ...record, createdAt: record.createdAt + 1 }),
    () => ({ ...record, labels: { ...record.labels, step: 99 } }),
    () => ({ ...record, labels: {} }),
    () => ({ ...record, chunks: record.chunks.slice(1) }),
    () => ({ ...record, chunks: [...record.chunks, "AAAAAAAAAAAAAAAAAAAAAAAAAAA"] }),
    () => ({ ...record, chunks: record.chunks.toReversed() }),
    () => ({ ...other, checkpointId: record.checkpointId }),
  ];
  return random.of(alterations)();
}

function alteredWrites(writes: WritesRecord[], random: Random): WritesRecord[] {
  const at = random.below(writes.length);
  const record = writes[at]!;
  const other = writes[(at + 1) % writes.length]!;
  const slotAt = random.below(record.slots.length);
  const slot = record.slots[slotAt]!;
  const withSlot = (changed: typeof slot) => ({ ...record, slots: record.slots.with(slotAt, changed) });
  const alterations: (() => WritesRecord)[] = [
    () => withSlot({ ...slot, body: mangled(slot.body, other.slots[0]!.body, random) }),
    () => withSlot({ ...slot, body: mangled(slot.body, other.slots[0]!.body, random) }),
    () => withSlot({ ...slot, name: `${slot.name}0` }),
    () => withSlot({ ...slot, chunks: [...slot.chunks, "AAAAAAAAAAAAAAAAAAAAAAAAAAA"] }),
    () => ({ ...record, taskId: `${record.taskId}x` }),
    // Both tasks wrote batches of a regular and a special write: either of them without the other is a torn batch.
    () => ({ ...record, slots: record.slots.toSpliced(slotAt, 1) }),
    () => ({ ...record, slots: other.slots }),
  ];
  return writes.with(at, random.of(alterations)());
}

/** Three checkpoints with large and small values, writes of two tasks each. */
async function history(store: TamperingStore, options: object): Promise<string[]> {
  const saver = new InMemorySaver({ ...options, store });
  const ids: string[] = [];
  for (let step = 0; step < 3; step++) {
    const text = Array.from({ length: 50 + step }, (_, at) => pseudoRandomText(1000, at + 1));
    const next = checkpoint({ text, step, medium: pseudoRandomText(5000, 99 + step) }, step + 1);
    await saver.put(config("t", ids.at(-1)), next, metadata(step), next.channel_versions);
    for (const task of ["one", "two"]) {
      const writes: [string, unknown][] = [
        ["c", pseudoRandomText(4500, step + 500)],
        ["__error__", `${task} ${step}`],
      ];
      await saver.putWrites(config("t", next.id), writes, task);
    }
    ids.push(next.id);
  }
  return ids;
}

const key = { id: "k", key: new Uint8Array(32).fill(7) };

describe.each([
  ["plain", {}],
  ["encrypted", { encryption: { keys: [key] } }],
])("damaged data, %s", (_, options) => {
  it("is always detected, and never read as another state", async () => {
    const store = new TamperingStore();
    const ids = await history(store, options);
    const others = await store.getCheckpoints(
      ids.map((checkpointId) => ({ threadId: "t", namespace: "", checkpointId })),
    );
    const cold = () => new InMemorySaver({ ...options, store, cacheBytes: 0 });
    const reads: (() => Promise<unknown>)[] = [
      () => cold().getTuple(config("t")),
      () => cold().getTuple(config("t", ids[1])),
      async () => {
        const tuples: unknown[] = [];
        for await (const tuple of cold().list(config("t"), { filter: { source: "loop" } }))
          tuples.push(tuple);
        return tuples;
      },
      () => cold().getDeltaChannelHistory({ config: config("t"), channels: ["c", "text"] }),
    ];
    const right = await Promise.all(reads.map((read) => read()));

    const random = new Random(20_261_118);
    let cases = 0;
    for (let round = 0; cases < CASES; round++) {
      const seed = random.below(2 ** 31);
      store.tamper = tamperOnce(
        new Random(seed),
        others.map(({ checkpoint: record }) => record!),
      );
      store.touched = false;
      const at = round % reads.length;
      let outcome: unknown;
      try {
        outcome = await reads[at]!();
      } catch (error) {
        if (!isSaverError(error) || !DETECTED.has(error.code))
          throw new Error(`seed ${seed}, read ${at}`, { cause: error });
        cases += 1;
        continue;
      }
      expect(store.touched, `changed bytes were read without an error: seed ${seed}, read ${at}`).toBe(false);
      expect(outcome, `seed ${seed}, read ${at}`).toEqual(right[at]);
    }
    expect(cases).toBe(CASES);
  }, 240_000);
});

/** Changes one thing, and the same thing on every read of it. */
function tamperOnce(random: Random, records: CheckpointRecord[]): Tamper {
  const seed = random.below(2 ** 31);
  const target = random.of(records).checkpointId;
  switch (random.below(3)) {
    case 0: {
      const other = records.find(({ checkpointId }) => checkpointId !== target)!;
      return {
        checkpoint: (stored) => {
          if (stored.checkpointId !== target) return undefined;
          return { ...stored, checkpoint: alteredRecord(stored.checkpoint!, other, new Random(seed)) };
        },
      };
    }
    case 1:
      return {
        checkpoint: (stored) => {
          if (stored.checkpointId !== target) return undefined;
          return { ...stored, writes: alteredWrites(stored.writes, new Random(seed)) };
        },
      };
    default:
      return {
        chunks: (chunks) => {
          if (chunks.length < 2) return undefined;
          const pick = new Random(seed);
          const at = pick.below(chunks.length);
          const chunk = chunks[at]!;
          const other = chunks[(at + 1) % chunks.length]!;
          switch (pick.below(4)) {
            case 0:
              return chunks.toSpliced(at, 1);
            case 1:
              return chunks.with(at, { ...chunk, index: !chunk.index });
            case 2:
              return chunks.with(at, { ...other, hash: chunk.hash });
            default:
              return chunks.with(at, { ...chunk, data: mangled(chunk.data, other.data, pick) });
          }
        },
      };
  }
}
