import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { check, equal } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { configOf, listAll, newId, noise, putOne, valuesOf, writesOf } from "../calls.js";
import { inGroup } from "../define.js";
import { collect, thread } from "../graphs/harness.js";
import { deltaGraph, notesGraph } from "./graphs.js";
import { chainValues, everythingOf, idOf, manager, putChain, refusedUnchanged, write } from "./harness.js";

const scenario = inGroup("deleteCheckpoints");
const needs = ["deleteCheckpoints"] as const;

export const deleteCheckpointsScenarios: readonly Scenario[] = [
  scenario("gone-with-their-writes", {
    rule: "The checkpoints go with their writes, and are counted; all others stay as they were.",
    why: "What was asked to be forgotten would still be there, or more would be gone.",
    needs,
    run: async ({ saver }) => {
      const ids = await putChain(saver, "t", 4);
      await putChain(saver, "t2", 1);
      for (const id of ids) await write(saver, "t", id, id);
      const before = await listAll(saver, {});
      equal(await manager(saver).deleteCheckpoints("t", [ids[1]!, ids[3]!]), { checkpoints: 2 });
      equal(
        await listAll(saver, {}),
        before.filter((tuple) => idOf(tuple) !== ids[1] && idOf(tuple) !== ids[3]),
      );
      for (const id of [ids[1], ids[3]]) equal(await saver.getTuple(configOf("t", id)), undefined);
      equal((await saver.getTuple(configOf("t")))?.checkpoint.id, ids[2]);
    },
  }),

  scenario("children-stay-whole", {
    rule: "Children of a deleted parent keep all their values, also those that the parent held.",
    why: "A channel that did not change would be lost with the ancestor that set it.",
    needs,
    run: async ({ saver, reopen }) => {
      const big = noise(40_000);
      const first = await putOne(saver, "t", { values: { big, step: 0 }, versions: { big: 1, step: 1 } });
      const second = await putOne(saver, "t", {
        parent: first,
        values: { big, step: 1 },
        versions: { big: 1, step: 2 },
        changed: ["step"],
      });
      await manager(saver).deleteCheckpoints("t", [first]);
      equal(await valuesOf(await reopen(), "t", second), { big, step: 1 });
      const third = await putOne(saver, "t", {
        parent: second,
        values: { big, step: 2 },
        versions: { big: 1, step: 3 },
        changed: ["step"],
      });
      await manager(saver).deleteCheckpoints("t", [second]);
      equal(await valuesOf(await reopen(), "t", third), { big, step: 2 });
    },
  }),

  scenario("graphs-go-on", {
    rule: "A graph goes on from what stays, and travels in time over it.",
    why: "Deleting a step in the middle would make the thread useless.",
    needs,
    run: async ({ saver }) => {
      const graph = notesGraph(saver);
      await graph.invoke({ topic: "cats" }, thread("t"));
      const all = await everythingOf(saver, "t");
      await manager(saver).deleteCheckpoints("t", [idOf(all[1]!), idOf(all[2]!)]);
      const [newest, before] = await collect(graph.getStateHistory(thread("t")));
      equal([newest!.next, before!.next], [[], ["__start__"]]);
      equal((await graph.invoke(null, before!.config)).notes, ["first cats", "second cats"]);
      equal((await graph.invoke({ topic: "dogs" }, thread("t"))).notes.length, 4);
    },
  }),

  scenario("namespaces", {
    rule: "`checkpointNs` deletes in that namespace only; without it, an id goes in every one.",
    why: "A subgraph's checkpoint of the same id would go unasked, or stay.",
    needs,
    run: async ({ saver }) => {
      const id = newId();
      const put = (namespace: string) => putOne(saver, "t", { id, namespace });
      for (const namespace of ["", "n", "n|m"]) await put(namespace);
      const left = async (): Promise<unknown[]> =>
        (await everythingOf(saver, "t"))
          .map(({ config }) => String(config.configurable?.["checkpoint_ns"]))
          .toSorted();
      equal(await manager(saver).deleteCheckpoints("t", [id], { checkpointNs: "n" }), { checkpoints: 1 });
      equal(await left(), ["", "n|m"]);
      equal(await manager(saver).deleteCheckpoints("t", [id], { checkpointNs: "" }), { checkpoints: 1 });
      equal(await left(), ["n|m"]);
      await put("");
      equal(await manager(saver).deleteCheckpoints("t", [id]), { checkpoints: 2 });
      equal(await left(), []);
    },
  }),

  scenario("unknown-ids", {
    rule: "Ids that are not there are passed over and not counted; of an unknown thread, all of them; twice is once.",
    why: "A clean-up that is repeated would fail at what it has done already.",
    needs,
    run: async ({ saver }) => {
      const ids = await putChain(saver, "t", 2);
      await putOne(saver, "t2");
      const operations = manager(saver);
      equal(await operations.deleteCheckpoints("t", [newId(), ids[0]!, ids[0]!]), { checkpoints: 1 });
      const before = await listAll(saver, {});
      equal(await operations.deleteCheckpoints("t", [ids[0]!]), { checkpoints: 0 });
      equal(await operations.deleteCheckpoints("t", []), { checkpoints: 0 });
      equal(await operations.deleteCheckpoints("t3", ids), { checkpoints: 0 });
      equal(await operations.deleteCheckpoints("t2", ids), { checkpoints: 0 });
      equal(await listAll(saver, {}), before);
    },
  }),

  scenario("put-again", {
    rule: "A deleted checkpoint can be put again, and comes without its former writes.",
    why: "Results of tasks that were deleted would be replayed.",
    needs,
    run: async ({ saver }) => {
      const [id] = await putChain(saver, "t", 1);
      await write(saver, "t", id!, "old");
      await manager(saver).deleteCheckpoints("t", [id!]);
      await putOne(saver, "t", { id: id!, values: { step: 9 } });
      equal(await valuesOf(saver, "t", id), { step: 9 });
      equal(await writesOf(saver, "t", id!), []);
      await write(saver, "t", id!, "new");
      equal(await writesOf(saver, "t", id!), [["task", "a", "new"]]);
    },
  }),

  scenario("last-one", {
    rule: "A thread whose checkpoints are all deleted is as one that never was, and can be used again.",
    why: "Its remains would be found by whoever looks for the newest checkpoint.",
    needs,
    run: async ({ saver, reopen }) => {
      const ids = await putChain(saver, "t", 3);
      await manager(saver).deleteCheckpoints("t", ids);
      equal(await everythingOf(saver, "t"), []);
      for (const reader of [saver, await reopen()]) equal(await reader.getTuple(configOf("t")), undefined);
      const [again] = await putChain(saver, "t", 1);
      equal(await valuesOf(await reopen(), "t"), chainValues("t", 0));
      equal((await everythingOf(saver, "t")).map(idOf), [again]);
    },
  }),

  scenario("needed-by-delta-channels", {
    rule: "A checkpoint that a delta channel of one that stays counts on is refused with a coded error, and nothing is deleted; `force` deletes it.",
    why: "The channel would lose a part of its value, and the state be wrong without a sign of it.",
    needs: ["deleteCheckpoints", "deltaHistory"],
    run: async ({ saver }) => {
      const graph = deltaGraph(saver);
      for (const word of ["one", "two"]) await graph.invoke({ words: [word] }, thread("t"));
      const all = await everythingOf(saver, "t");
      const middle = idOf(all[2]!);
      await refusedUnchanged(saver, () => manager(saver).deleteCheckpoints("t", [middle]));
      equal((await graph.getState(thread("t"))).values, { words: ["one", "echo", "two", "echo"] });
      // With all that count on it, it may go.
      const children = all.slice(0, 2).map(idOf);
      equal(await manager(saver).deleteCheckpoints("t", [...children, middle]), { checkpoints: 3 });
      equal((await graph.getState(thread("t"))).values.words?.[0], "one");
      const forced = [idOf(all.at(-1)!)];
      equal(await manager(saver).deleteCheckpoints("t", forced, { force: true }), { checkpoints: 1 });
    },
  }),

  scenario("beside-readers", {
    rule: "A reader sees a checkpoint that is being deleted with all its writes, or not at all.",
    why: "A run that is resumed at that moment would repeat tasks whose results are half gone.",
    needs,
    run: async ({ saver, reopen }) => {
      const ids = await putChain(saver, "t", 12);
      for (const id of ids)
        for (const task of ["k1", "k2", "k3"]) await write(saver, "t", id, task, { task });
      const whole = (tuple: CheckpointTuple | undefined): void => {
        if (tuple !== undefined) equal(tuple.pendingWrites?.length, 3, "the writes of a checkpoint");
      };
      const readers = [saver, await reopen()];
      const deleting = (async () => {
        for (let at = 0; at < ids.length; at += 3)
          await manager(saver).deleteCheckpoints("t", ids.slice(at, at + 3));
      })();
      const done = deleting.then(() => true);
      while (!(await Promise.race([done, new Promise<false>((next) => setImmediate(next, false))]))) {
        for (const reader of readers) {
          (await everythingOf(reader, "t")).forEach(whole);
          for (const id of ids.slice(4, 8)) whole(await reader.getTuple(configOf("t", id)));
        }
      }
      equal(await everythingOf(saver, "t"), []);
    },
  }),

  scenario("bad-input", {
    rule: "What is no list of ids, or no thread id, is refused with a coded error; nothing changes.",
    why: "A string in place of a list would delete by its letters, or nothing.",
    needs,
    run: async ({ saver }) => {
      const [id] = await putChain(saver, "t", 2);
      const operations = manager(saver);
      for (const ids of [undefined, id, [undefined], [7], [{}], { 0: id }] as unknown as string[][])
        await refusedUnchanged(saver, () => operations.deleteCheckpoints("t", ids));
      for (const bad of [undefined, {}, { $gt: "" }] as unknown as string[])
        await refusedUnchanged(saver, () => operations.deleteCheckpoints(bad, [id!]));
      const odd = { checkpointNs: 7 } as unknown as { checkpointNs: string };
      await refusedUnchanged(saver, () => operations.deleteCheckpoints("t", [id!], odd));
      check((await everythingOf(saver, "t")).length === 2, "both checkpoints are there");
    },
  }),
];
