import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { checkpointOf, configOf, listAll, metadataOf, valuesOf } from "../calls.js";
import { inGroup } from "../define.js";
import { thread } from "../graphs/harness.js";
import { deltaGraph, notesGraph } from "./graphs.js";
import { everythingOf, idOf, manager, putChain, refusedUnchanged, write } from "./harness.js";

const scenario = inGroup("deleteForRuns");
const needs = ["deleteForRuns"] as const;

/** Puts one checkpoint as a run does, with its id in the config's metadata. */
async function putOfRun(
  saver: BaseCheckpointSaver,
  runId: string,
  { namespace = "", threadId = "t", parent = "" } = {},
): Promise<string> {
  const checkpoint = checkpointOf({ kept: "all along" });
  const config = configOf(threadId, parent === "" ? undefined : parent, namespace);
  const changed = parent === "" ? { kept: 1 } : {};
  await saver.put({ ...config, metadata: { run_id: runId } }, checkpoint, metadataOf(), changed);
  return checkpoint.id;
}

async function left(saver: BaseCheckpointSaver): Promise<string[]> {
  return (await listAll(saver, {})).map(idOf).toSorted();
}

export const deleteForRunsScenarios: readonly Scenario[] = [
  scenario("what-the-runs-put", {
    rule: "What the named runs put is deleted and counted; what other runs put, and what no run did, stays.",
    why: "Data that must go would stay, or that of others would go.",
    needs,
    run: async ({ saver }) => {
      const [first, second, third] = [
        await putOfRun(saver, "run-1"),
        await putOfRun(saver, "run-2"),
        await putOfRun(saver, "run-3"),
      ];
      const [own] = await putChain(saver, "t", 1);
      equal(await manager(saver).deleteForRuns(["run-1"]), { checkpoints: 1 });
      equal(await left(saver), [second, third, own].map(String).toSorted());
      equal(await manager(saver).deleteForRuns(["run-2", "run-3"]), { checkpoints: 2 });
      equal(await left(saver), [own]);
      equal(await saver.getTuple(configOf("t", first)), undefined);
    },
  }),

  scenario("exact-ids", {
    rule: "A run id is taken letter by letter: none that it starts, none in another case.",
    why: "Deleting run-1 would take run-10 along.",
    needs,
    run: async ({ saver }) => {
      const kept: string[] = [];
      for (const run of ["run-10", "RUN-1", "run", "xrun-1", "run.1", "run%"])
        kept.push(await putOfRun(saver, run));
      await putOfRun(saver, "run-1");
      equal(await manager(saver).deleteForRuns(["run-1"]), { checkpoints: 1 });
      equal(await manager(saver).deleteForRuns(["%", "r*", ".*"]), { checkpoints: 0 });
      equal(await left(saver), kept.toSorted());
    },
  }),

  scenario("metadata-of-the-put", {
    rule: "A run id in the metadata of the put counts as well as one in the metadata of its config.",
    why: "Whoever stores the run id in the checkpoint's own metadata, as Python does, could not delete by it.",
    needs,
    run: async ({ saver }) => {
      const [id] = await putChain(saver, "t", 1);
      await putChain(saver, "t", 1, { metadata: { run_id: "run-1" } });
      equal(await manager(saver).deleteForRuns(["run-1"]), { checkpoints: 1 });
      equal(await left(saver), [id]);
    },
  }),

  scenario("writes-go-too", {
    rule: "The writes of what is deleted go with it.",
    why: "They would turn up at a checkpoint of the same id.",
    needs,
    run: async ({ saver }) => {
      const id = await putOfRun(saver, "run-1");
      await write(saver, "t", id, "old");
      await manager(saver).deleteForRuns(["run-1"]);
      equal(await saver.getTuple(configOf("t", id)), undefined);
      await saver.put(configOf("t"), { ...checkpointOf(), id }, metadataOf(), {});
      equal((await saver.getTuple(configOf("t", id)))?.pendingWrites ?? [], []);
    },
  }),

  scenario("everywhere", {
    rule: "It deletes in every thread and every namespace.",
    why: "A run with subgraphs, or one that worked in several threads, would leave a part behind.",
    needs,
    run: async ({ saver }) => {
      const kept = await putOfRun(saver, "run-2", { threadId: "t2", namespace: "n:1" });
      for (const threadId of ["t", "t2", "t3"])
        for (const namespace of ["", "n:1", "n:1|m:2"])
          await putOfRun(saver, "run-1", { threadId, namespace });
      equal(await manager(saver).deleteForRuns(["run-1"]), { checkpoints: 9 });
      equal(await left(saver), [kept]);
    },
  }),

  scenario("children-stay-whole", {
    rule: "What another run put on top of what is deleted keeps all its values.",
    why: "The later run would lose the channels that it did not change.",
    needs,
    run: async ({ saver, reopen }) => {
      const first = await putOfRun(saver, "run-1");
      const second = await putOfRun(saver, "run-2", { parent: first });
      await manager(saver).deleteForRuns(["run-1"]);
      equal(await valuesOf(await reopen(), "t", second), { kept: "all along" });
    },
  }),

  scenario("nothing-to-delete", {
    rule: "No runs, and runs that put nothing, are no error; nothing changes; twice is once.",
    why: "A clean-up that is repeated would fail at what it has done already.",
    needs,
    run: async ({ saver }) => {
      const operations = manager(saver);
      equal(await operations.deleteForRuns([]), { checkpoints: 0 });
      equal(await operations.deleteForRuns(["none"]), { checkpoints: 0 });
      await putOfRun(saver, "run-1");
      await putChain(saver, "t2", 2);
      const before = await listAll(saver, {});
      equal(await operations.deleteForRuns([]), { checkpoints: 0 });
      equal(await operations.deleteForRuns(["none"]), { checkpoints: 0 });
      equal(await listAll(saver, {}), before);
      equal(await operations.deleteForRuns(["run-1", "run-1", "none"]), { checkpoints: 1 });
      equal(await operations.deleteForRuns(["run-1"]), { checkpoints: 0 });
    },
  }),

  scenario("many", {
    rule: "A run that put more than fits into a page of the storage is deleted to the end.",
    why: "A limit that a backend puts on one answer would leave the rest of a long run behind.",
    needs,
    run: async ({ saver }) => {
      const kept = await putOfRun(saver, "run-2");
      for (let at = 0; at < 120; at += 12)
        await Promise.all(Array.from({ length: 12 }, () => putOfRun(saver, "run-1")));
      equal(await manager(saver).deleteForRuns(["run-1"]), { checkpoints: 120 });
      equal(await left(saver), [kept]);
    },
  }),

  scenario("runs-of-graphs", {
    rule: "The runs of a graph are deleted by the id in their config's metadata, and the thread goes on from before them.",
    why: "A run that went wrong could not be taken back.",
    needs,
    run: async ({ saver }) => {
      const graph = notesGraph(saver);
      const run = (topic: string) => ({ ...thread("t"), metadata: { run_id: topic } });
      await graph.invoke({ topic: "cats" }, run("cats"));
      const before = await everythingOf(saver, "t");
      await graph.invoke({ topic: "dogs" }, run("dogs"));
      await manager(saver).deleteForRuns(["dogs"]);
      equal(await everythingOf(saver, "t"), before);
      const notes = ["first cats", "second cats", "first owls", "second owls"];
      equal((await graph.invoke({ topic: "owls" }, run("owls"))).notes, notes);
    },
  }),

  scenario("needed-by-delta-channels", {
    rule: "What a delta channel of another run counts on is refused with a coded error, and nothing is deleted; `force` deletes it.",
    why: "The later run's state would lose what the earlier one wrote, without a sign of it.",
    needs: ["deleteForRuns", "deltaHistory"],
    run: async ({ saver }) => {
      const graph = deltaGraph(saver);
      for (const word of ["one", "two"])
        await graph.invoke({ words: [word] }, { ...thread("t"), metadata: { run_id: word } });
      await refusedUnchanged(saver, () => manager(saver).deleteForRuns(["one"]));
      equal((await graph.getState(thread("t"))).values, { words: ["one", "echo", "two", "echo"] });
      const count = (await everythingOf(saver, "t")).length;
      const forced = await manager(saver).deleteForRuns(["one"], { force: true });
      equal((await everythingOf(saver, "t")).length, count - forced.checkpoints);
      await manager(saver).deleteForRuns(["two"]);
      equal(await everythingOf(saver, "t"), []);
    },
  }),

  scenario("bad-input", {
    rule: "What is no list of ids is refused with a coded error; nothing changes.",
    why: "`undefined` for a run id would delete what no run has put.",
    needs,
    run: async ({ saver }) => {
      await putOfRun(saver, "run-1");
      await putChain(saver, "t2", 1);
      for (const runs of [
        undefined,
        "run-1",
        [undefined],
        [null],
        [7],
        [{ $gt: "" }],
      ] as unknown as string[][])
        await refusedUnchanged(saver, () => manager(saver).deleteForRuns(runs));
    },
  }),
];
