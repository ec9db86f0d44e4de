import { expect, it } from "vitest";

import type { Chunk, StoredCheckpoint } from "../../../packages/core/src/store/port.js";
import { checkpointRecord, chunk, chunks, indexOf, instant, later, slot, special } from "./data.js";
import type { TestThread } from "./test-thread.js";
import type { StoreWorld } from "./world.js";

const LIMIT = { timeout: 60_000 };

export function concurrencyCases(world: StoreWorld): void {
  it(
    "a reader sees a checkpoint that is being deleted with all its writes, or not at all",
    LIMIT,
    async () => {
      const thread = world.thread();
      const ids = Array.from({ length: 24 }, (_, at) => `c${String(at).padStart(2, "0")}`);
      const tasks = ["t1", "t2", "t3"];
      for (const [at, id] of ids.entries()) {
        await thread.put(id, [], at === 0 ? {} : { parentId: ids[at - 1]! });
        await Promise.all(tasks.map((taskId) => thread.write(id, [slot("0"), slot("1")], { taskId })));
      }
      const whole = (stored: StoredCheckpoint[]): void => {
        for (const { checkpoint, writes } of stored) {
          if (checkpoint === undefined) continue;
          expect(writes.map(({ taskId }) => taskId).toSorted()).toEqual(tasks);
          for (const { slots } of writes) expect(slots).toHaveLength(2);
        }
      };
      const reading = [thread, world.elsewhere(thread)].flatMap((reader) => [
        async () => whole(await reader.store.getCheckpoints(ids.map((id) => reader.key(id)))),
        async () => whole(await reader.list()),
        async () => {
          const from = { threadId: reader.id, namespace: "", checkpointId: ids.at(-1)! };
          whole((await reader.store.listAncestors({ ...from, limit: 50 })).items);
          whole(await reader.store.getCheckpoints([{ threadId: reader.id, namespace: "" }]));
        },
      ]);
      const deleting = async (): Promise<void> => {
        for (let at = 0; at < ids.length; at += 4) await thread.delete(...ids.slice(at, at + 4));
      };
      await beside([deleting], reading);
      expect(await thread.list()).toEqual([]);
    },
  );

  it(
    "deletions beside puts of the same checkpoints: each is whole or gone, and all chunks are",
    LIMIT,
    async () => {
      const thread = world.thread();
      const ids = ["a", "b", "c"];
      const sent: Chunk[] = [];
      const writer = async (id: string, at: number): Promise<void> => {
        const target = at % 2 === 0 ? thread : world.elsewhere(thread);
        for (let round = 0; round < 6; round += 1) {
          const [own, written] = [chunk(), chunk()];
          sent.push(own, written);
          await target.put(id, [own]);
          await target.write(id, [slot(String(round)), special("-1", [written])], { sends: [written] });
        }
      };
      const deleters = [thread, world.elsewhere(thread)].map((target) => () => target.delete(...ids));
      await beside(
        ids.map((id, at) => () => writer(id, at)),
        deleters,
      );
      await thread.collect(later());
      for (const stored of await thread.store.getCheckpoints(ids.map((id) => thread.key(id))))
        await expectReadable(thread, stored, sent);
      await thread.delete(...ids);
      await thread.collect(later());
      expect(await thread.holding(sent)).toEqual([]);
      expect(await thread.store.getThread(thread.id)).toBeUndefined();
    },
  );

  it("two who delete the same leave no trace of it", LIMIT, async () => {
    const thread = world.thread();
    const ids = Array.from({ length: 20 }, (_, at) => `c${at}`);
    const own = chunks(ids.length);
    for (const [at, id] of ids.entries()) await thread.put(id, [own[at]!]);
    const both = [thread, world.elsewhere(thread)];
    const deleted = await Promise.all(both.map((each) => each.delete(...ids)));
    const count = deleted.reduce((sum, { checkpoints }) => sum + checkpoints, 0);
    expect(count).toBeGreaterThanOrEqual(ids.length);
    await Promise.all(both.map((each) => each.collect(later())));
    expect(await thread.holding(own)).toEqual([]);
    expect(await thread.list()).toEqual([]);
  });

  it("collecting beside writers that send, or rely on, chunks that are there", LIMIT, async () => {
    const thread = world.thread();
    const pool = chunks(6);
    const index = indexOf(pool);
    const all = [...pool, index];
    const both = [thread, world.elsewhere(thread)];
    /** When the work at hand began. Whoever collects leaves alone what is younger than the oldest. */
    const begun = new Set<{ at: number }>();
    const working = async <T>(work: () => Promise<T>): Promise<T> => {
      const mark = { at: Date.now() };
      begun.add(mark);
      try {
        return await work();
      } finally {
        begun.delete(mark);
      }
    };
    const writer = async (lane: number): Promise<void> => {
      const target = both[lane % 2]!;
      for (let round = 0; round < 12; round += 1) {
        const [first, second] = [`a${lane}`, `b${lane}`];
        await working(async () => {
          const [one, two] = [pool[(lane + round) % pool.length]!, pool[(lane * 2 + round) % pool.length]!];
          const record = checkpointRecord(target.key(first), [one, index]);
          const { generation } = await target.commit(record, all);
          await target.write(first, [special("-1", [two])], { sends: [two] });
          // Relies on what the first one has just stored.
          const relying = checkpointRecord(target.key(second), [one, index]);
          expect(await target.commit(relying, [], { generation })).toMatchObject({ committed: true });
        });
        await working(async () => {
          for (const id of [first, second]) await expectReadable(target, await target.read(id), all);
        });
        await target.delete(first, ...(round % 3 === 0 ? [second] : []));
      }
    };
    const reader = (): Promise<void> =>
      working(async () => {
        for (const stored of await thread.list()) await expectReadable(thread, stored, all);
      });
    const collector = (): Promise<unknown> =>
      both[1]!.collect(Math.min(Date.now(), ...[...begun].map(({ at }) => at)));
    await beside(
      [0, 1, 2, 3].map((lane) => () => writer(lane)),
      [reader, collector],
    );
    for (const stored of await thread.list()) await expectReadable(thread, stored, all);
    await thread.delete(...(await thread.ids()), "a0", "a1", "a2", "a3");
    await thread.collect(later());
    expect(await thread.holding(all)).toEqual([]);
  });

  it("a chunk that is sent again while it would be collected stays for the new record", LIMIT, async () => {
    const thread = world.thread();
    const rival = world.elsewhere(thread);
    const own = chunks(10);
    const send = (at: number): Promise<unknown> =>
      at % 2 === 0
        ? thread.put(`c${at}`, [own[at]!])
        : thread.write(`c${at}`, [slot("0", [own[at]!])], { sends: [own[at]!] });
    for (let round = 0; round < 6; round += 1) {
      await Promise.all(own.map((_, at) => send(at)));
      await thread.delete(...own.map((_, at) => `c${at}`));
      const before = await instant();
      const sending = own.map(async (_, at) => {
        // Each a little later than the one before, so that some come at every moment of the collection.
        for (let wait = 0; wait < at; wait += 1) {
          await thread.store.getRegister(thread.id, "none");
          if (wait % 2 === 1) await new Promise(setImmediate);
        }
        await send(at);
      });
      await Promise.all([rival.collect(before), ...sending]);
      await thread.holds(...own);
    }
  });

  it(
    "a thread that is deleted while checkpoints are deleted and chunks collected starts anew",
    LIMIT,
    async () => {
      for (let round = 0; round < 5; round += 1) {
        const thread = world.thread();
        const rival = world.elsewhere(thread);
        const [own, kept] = [chunks(5), chunk()];
        for (const [at, each] of own.entries()) await thread.put(`c${at}`, [each]);
        await thread.delete("c0");
        await Promise.all([
          rival.store.deleteThread(thread.id),
          thread.delete("c1", "c2", "c3"),
          thread.collect(later()),
          rival.collect(later()),
        ]);
        expect(await thread.list()).toEqual([]);
        expect(await thread.holding(own)).toEqual([]);
        await thread.put("c1", [kept]);
        await rival.collect(later());
        await thread.holds(kept);
        expect(await thread.ids()).toEqual(["c1"]);
      }
    },
  );
}

/** Does the work, and these calls again and again until it is done. */
async function beside(work: (() => Promise<void>)[], calls: (() => Promise<unknown>)[]): Promise<void> {
  const ending = new AbortController();
  const calling = Promise.all(
    calls.map(async (call) => {
      while (!ending.signal.aborted) {
        await call();
        // A store in memory never waits: without this the others get no turn.
        await new Promise(setImmediate);
      }
    }),
  );
  calling.catch(() => undefined);
  try {
    await Promise.all(work.map((each) => each()));
  } finally {
    ending.abort();
    await calling;
  }
}

/** Every chunk that the record and its writes refer to, also through index chunks, is there. */
async function expectReadable(
  thread: TestThread,
  { checkpoint, writes, generation }: StoredCheckpoint,
  known: readonly Chunk[],
): Promise<void> {
  const byHash = new Map(known.map((each) => [each.hash, each]));
  const direct = [
    checkpoint?.chunks ?? [],
    ...writes.flatMap(({ slots }) => slots.map((each) => each.chunks)),
  ];
  const referred = new Set(direct.flat().map((hash) => byHash.get(hash)!));
  for (const { index, data } of referred) {
    if (!index) continue;
    for (const each of known)
      if (!each.index && Buffer.from(data).includes(Buffer.from(each.hash, "base64url"))) referred.add(each);
  }
  const there = await thread.holding([...referred], generation);
  expect(there.length, "chunks that are there").toBe(referred.size);
}
