import { expect, it } from "vitest";

import { checkpointRecord, chunk, later, slot, special } from "./data.js";
import type { TestThread } from "./test-thread.js";
import type { StoreWorld } from "./world.js";

/** Commits that succeed only while registers have certain values: what a lease relies on. */
export function fencingCases(world: StoreWorld): void {
  const held = async (value = "mine"): Promise<TestThread> => {
    const thread = world.thread();
    await thread.store.setRegister(thread.id, "lease", value, undefined);
    return thread;
  };
  const mine = { registers: { lease: "mine" } };

  it("go through while the registers have these values", async () => {
    const thread = await held();
    await thread.store.setRegister(thread.id, "other", "2", undefined);
    const own = chunk();
    const both = { registers: { lease: "mine", other: "2" } };
    const put = await thread.commit(checkpointRecord(thread.key("a"), [own]), [own], both);
    expect(put).toEqual({ committed: true, generation: await thread.generation() });
    const written = await thread.write("a", [slot("0")], { condition: mine });
    expect(written).toEqual({ committed: true, generation: put.generation });
    expect(await world.elsewhere(thread).read("a")).toMatchObject({
      checkpoint: { checkpointId: "a" },
      writes: [{ taskId: "task" }],
    });
    await thread.holds(own);
  });

  it("an empty condition asks for nothing", async () => {
    const thread = world.thread();
    await thread.put("a", [], { condition: {} });
    await thread.put("b", [], { condition: { registers: {} } });
    expect(await thread.ids()).toEqual(["b", "a"]);
  });

  it("are refused where one of them has another value, or none, and nothing changes", async () => {
    const thread = await held("yours");
    const [own, sent] = [chunk(), chunk()];
    const record = await thread.put("a", [own]);
    await thread.write("a", [special("-1", [own])]);
    const stored = await thread.read("a");
    for (const registers of [
      { lease: "mine" },
      { lease: "yours", other: "1" },
      { lease: "" },
    ] satisfies Record<string, string>[]) {
      const refused = { committed: false, generation: stored.generation, fenced: true };
      const replacing = { ...checkpointRecord(record, [sent]) };
      expect(await thread.commit(replacing, [sent], { registers })).toEqual(refused);
      expect(await thread.commit({ ...replacing, checkpointId: "b" }, [], { registers })).toEqual(refused);
      const write = { sends: [sent], condition: { registers } };
      expect(await thread.write("a", [special("-1", [sent]), slot("0")], write)).toEqual(refused);
    }
    expect(await thread.read("a")).toEqual(stored);
    expect(await thread.ids()).toEqual(["a"]);
    expect(await thread.read("b")).toMatchObject({ checkpoint: undefined, writes: [] });
    await thread.collect(later());
    await thread.holds(own);
  });

  it("are refused in a thread that has nothing, and leave nothing", async () => {
    const thread = world.thread();
    const record = checkpointRecord(thread.key("a"), []);
    expect(await thread.commit(record, [], mine)).toMatchObject({ committed: false, fenced: true });
    expect(await thread.write("a", [slot("0")], { condition: mine })).toMatchObject({
      committed: false,
      fenced: true,
    });
    expect(await thread.read("a")).toMatchObject({ checkpoint: undefined, writes: [] });
    expect(await thread.store.getThread(thread.id)).toBeUndefined();
  });

  it("the generation is asked for beside the registers, and told from them", async () => {
    const thread = await held();
    await thread.put("a");
    const old = await thread.generation();
    await thread.store.deleteThread(thread.id);
    const condition = { ...mine, generation: old };
    const refused = await thread.commit(checkpointRecord(thread.key("a"), []), [], condition);
    expect(refused).toEqual({ committed: false, generation: await thread.generation() });
    await thread.put("a", [], { condition: { ...mine, generation: refused.generation } });
  });

  it("the registers alone ask for no generation", async () => {
    const thread = await held();
    await thread.put("a");
    await thread.store.deleteThread(thread.id);
    await thread.put("b", [], { condition: mine });
    expect(await thread.ids()).toEqual(["b"]);
  });

  it("who lost the register gets nothing through from then on", async () => {
    for (let round = 0; round < 4; round += 1) {
      const thread = await held();
      const rival = world.elsewhere(thread);
      const commits: Promise<{ id: string; committed: boolean }>[] = [];
      const holder = async (lane: number): Promise<void> => {
        for (let at = 0, committed = true; committed && at < 40; at += 1) {
          const id = `c${lane}-${String(at).padStart(2, "0")}`;
          const committing =
            lane === 0
              ? thread.write(id, [slot("0")], { condition: mine })
              : thread.commit(checkpointRecord(thread.key(id), []), [], mine);
          commits.push(committing.then((result) => ({ id, committed: result.committed })));
          ({ committed } = await committing);
          // A store in memory never waits: without this the others get no turn.
          await new Promise(setImmediate);
        }
      };
      const lanes = Promise.all([0, 1, 2].map(holder));
      // Once some are through, so that others are on their way.
      while (commits.length < 6 + round * 5) await new Promise(setImmediate);
      expect(await rival.store.setRegister(thread.id, "lease", "yours", "mine")).toBe(true);
      const started = commits.length;
      const seen = await committedIds(rival, started);
      await lanes;
      const settled = await Promise.all(commits);
      expect(settled.slice(started).filter(({ committed }) => committed)).toEqual([]);
      // What was acknowledged was there when the register had changed, and nothing came after it.
      const acknowledged = settled.filter(({ committed }) => committed).map(({ id }) => id);
      expect(seen).toEqual(acknowledged.toSorted());
      expect(await committedIds(rival, commits.length)).toEqual(seen);
    }
  });
}

/** The checkpoints of the lanes that put some, and those that the lane that writes has written to. */
async function committedIds(thread: TestThread, most: number): Promise<string[]> {
  const names = Array.from({ length: most }, (_, at) => `c0-${String(at).padStart(2, "0")}`);
  const written = await thread.store.getCheckpoints(names.map((name) => thread.key(name)));
  const ofWrites = written.flatMap(({ checkpointId, writes }) => (writes.length > 0 ? [checkpointId!] : []));
  return [...(await thread.ids()), ...ofWrites].toSorted();
}
