import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { check, equal } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { configOf, noise, putOne, settle, sameWrites, writesOf } from "../calls.js";
import { inGroup } from "../define.js";
import { everythingOf, idOf, manager, putChain, refusedUnchanged, write } from "./harness.js";

const scenario = inGroup("copyThread");
const needs = ["copyThread"] as const;

/** A thread with two namespaces, a fork, writes of two tasks and a value that is stored in parts. */
async function putSource(saver: BaseCheckpointSaver, thread = "source"): Promise<void> {
  const [first, second] = await putChain(saver, thread, 3, { metadata: { tag: { of: thread } } });
  await putChain(saver, thread, 2, { namespace: "n:1|m:2" });
  const branch = await putOne(saver, thread, { parent: first!, values: { big: noise(60_000) } });
  await write(saver, thread, second!, "early");
  await write(saver, thread, branch, { rich: [1] }, { task: "other" });
}

/** The tuples of a thread as they would be in another. */
function movedTo(thread: string, tuples: CheckpointTuple[]): CheckpointTuple[] {
  const moved = (config: CheckpointTuple["config"]) => ({
    configurable: { ...config.configurable, thread_id: thread },
  });
  return tuples.map((tuple) => ({
    ...tuple,
    config: moved(tuple.config),
    ...(tuple.parentConfig === undefined ? {} : { parentConfig: moved(tuple.parentConfig) }),
  }));
}

/** The same, one by one, of each tuple the part that a scenario is about. */
async function sameParts(
  saver: BaseCheckpointSaver,
  part: (tuple: CheckpointTuple) => unknown,
): Promise<void> {
  await putSource(saver);
  await manager(saver).copyThread("source", "target");
  const source = await everythingOf(saver, "source");
  const target = await everythingOf(saver, "target");
  equal(target.map(part), movedTo("target", source).map(part));
}

export const copyThreadScenarios: readonly Scenario[] = [
  scenario("every-checkpoint", {
    rule: "Every checkpoint is copied under its own id, in the same order, and counted.",
    why: "The copy would have no history, or another one.",
    needs,
    run: async ({ saver }) => {
      await putSource(saver);
      equal(await manager(saver).copyThread("source", "target"), { checkpoints: 6 });
      const ids = (await everythingOf(saver, "source")).map(idOf);
      equal((await everythingOf(saver, "target")).map(idOf), ids);
      equal(ids.length, 6);
    },
  }),

  scenario("values", {
    rule: "Every checkpoint of the copy has the values and versions of the one that it is a copy of.",
    why: "A channel that an ancestor holds, or a value that is stored in parts, would be lost.",
    needs,
    run: async ({ saver }) => sameParts(saver, ({ checkpoint }) => checkpoint),
  }),

  scenario("metadata", {
    rule: "The metadata is copied with everything in it.",
    why: "Steps, sources, parents and whatever a filter asks for would be gone.",
    needs,
    run: async ({ saver }) => sameParts(saver, ({ metadata }) => metadata),
  }),

  scenario("namespaces", {
    rule: "Every namespace is copied.",
    why: "Subgraphs would start over in the copy.",
    needs,
    run: async ({ saver }) => {
      await putSource(saver);
      await manager(saver).copyThread("source", "target");
      const inner = await everythingOf(saver, "target");
      equal(inner.map(({ config }) => config.configurable?.["checkpoint_ns"] as string).toSorted(), [
        "",
        "",
        "",
        "",
        "n:1|m:2",
        "n:1|m:2",
      ]);
      equal((await saver.getTuple(configOf("target", undefined, "n:1|m:2")))?.metadata?.step, 1);
    },
  }),

  scenario("parents", {
    rule: "Parents are the same ones, in the copy's thread.",
    why: "A walk through the history of the copy would end at once, or lead into the source.",
    needs,
    run: async ({ saver }) => sameParts(saver, ({ parentConfig }) => parentConfig),
  }),

  scenario("writes", {
    rule: "Pending writes are copied, with their tasks.",
    why: "Finished tasks would run again in the copy, and interrupts would be forgotten.",
    needs,
    run: async ({ saver }) => sameParts(saver, ({ pendingWrites }) => pendingWrites),
  }),

  scenario("source-stays", {
    rule: "The source is as it was.",
    why: "A copy that moves, or marks what it has copied, takes from the thread that is in use.",
    needs,
    run: async ({ saver }) => {
      await putSource(saver);
      const before = await everythingOf(saver, "source");
      await manager(saver).copyThread("source", "target");
      equal(await everythingOf(saver, "source"), before);
    },
  }),

  scenario("independent", {
    rule: "What happens to one of the two threads later does not reach the other, not even its deletion.",
    why: "A copy that refers to the values of its source is unreadable once the source is gone.",
    needs,
    run: async ({ saver, reopen }) => {
      await putSource(saver);
      await manager(saver).copyThread("source", "target");
      const copy = await everythingOf(saver, "target");
      const [newest] = copy;
      await putOne(saver, "source", { parent: idOf(newest!), values: { more: 1 } });
      await write(saver, "source", idOf(newest!), "late", { task: "late" });
      equal(await everythingOf(saver, "target"), copy);
      await saver.deleteThread("source");
      equal(await everythingOf(await reopen(), "target"), copy);
      await manager(saver).copyThread("target", "second");
      await saver.deleteThread("target");
      equal(await everythingOf(saver, "second"), movedTo("second", copy));
    },
  }),

  scenario("missing-source", {
    rule: "A source that is not there is refused with a coded error, and makes no target.",
    why: "A misspelt id would pass for an empty conversation.",
    needs,
    run: async ({ saver }) => {
      await putOne(saver, "other");
      await refusedUnchanged(saver, () => manager(saver).copyThread("source", "target"));
      equal(await everythingOf(saver, "target"), []);
    },
  }),

  scenario("existing-target", {
    rule: "A target that is there already is refused with a coded error, and neither thread changes.",
    why: "Two conversations would become one, and nobody could tell them apart again.",
    needs,
    run: async ({ saver }) => {
      await putSource(saver);
      await putOne(saver, "target", { namespace: "n" });
      await refusedUnchanged(saver, () => manager(saver).copyThread("source", "target"));
    },
  }),

  scenario("errors-tell-apart", {
    rule: "The codes of a missing source and of an existing target differ.",
    why: "A program can only act on what it can tell apart.",
    needs,
    run: async ({ saver }) => {
      await putOne(saver, "source");
      await putOne(saver, "target");
      const missing = await refusedUnchanged(saver, () => manager(saver).copyThread("none", "new"));
      const there = await refusedUnchanged(saver, () => manager(saver).copyThread("source", "target"));
      check(missing.code !== there.code, `different codes, not twice ${missing.code}`);
    },
  }),

  scenario("merge", {
    rule: 'With ifExists "merge" the copy is added to what is there; twice is once.',
    why: "A copy that was interrupted could not be finished.",
    needs,
    run: async ({ saver }) => {
      await putSource(saver);
      const own = await putOne(saver, "target", { values: { own: 1 } });
      await write(saver, "target", own, "kept");
      for (let time = 0; time < 2; time += 1)
        await manager(saver).copyThread("source", "target", { ifExists: "merge" });
      const source = await everythingOf(saver, "source");
      const target = await everythingOf(saver, "target");
      equal(
        target.filter((tuple) => idOf(tuple) !== own),
        movedTo("target", source),
      );
      sameWrites(await writesOf(saver, "target", own), [["task", "a", "kept"]]);
    },
  }),

  scenario("replace", {
    rule: 'With ifExists "replace" nothing of the target is left.',
    why: "What should be gone would turn up in the copy's history.",
    needs,
    run: async ({ saver }) => {
      await putSource(saver);
      const [newest] = await everythingOf(saver, "source");
      await putChain(saver, "target", 2, { namespace: "old" });
      await write(saver, "target", idOf(newest!), "old", { task: "old" });
      await manager(saver).copyThread("source", "target", { ifExists: "replace" });
      const source = await everythingOf(saver, "source");
      equal(await everythingOf(saver, "target"), movedTo("target", source));
    },
  }),

  scenario("bad-input", {
    rule: "A target that is the source, and what is no thread id or option, is refused with a coded error; nothing changes.",
    why: "A thread copied onto itself with ifExists replace would be a deleted one.",
    needs,
    run: async ({ saver }) => {
      await putSource(saver);
      const operations = manager(saver);
      for (const ifExists of ["error", "merge", "replace"] as const)
        await refusedUnchanged(saver, () => operations.copyThread("source", "source", { ifExists }));
      const odd = { ifExists: "overwrite" } as unknown as { ifExists: "merge" };
      await refusedUnchanged(saver, () => operations.copyThread("source", "target", odd));
      for (const id of [undefined, null, {}, { $gt: "" }] as unknown as string[]) {
        await refusedUnchanged(saver, () => operations.copyThread("source", id));
        await refusedUnchanged(saver, () => operations.copyThread(id, "target"));
      }
    },
  }),

  scenario("beside-a-deletion", {
    rule: "A source that is deleted meanwhile gives a copy that can be read, or a coded error.",
    why: "Half of a thread would be taken for a whole one, and be unreadable later.",
    needs,
    run: async ({ saver }) => {
      for (let round = 0; round < 4; round += 1) {
        const [source, target] = [`source${round}`, `target${round}`];
        await putSource(saver, source);
        const before = await everythingOf(saver, source);
        const [copying] = await Promise.all([
          settle(() => manager(saver).copyThread(source, target)),
          saver.deleteThread(source),
        ]);
        if ("error" in copying)
          check(typeof (copying.error as { code?: unknown }).code === "string", "an error with a code");
        const wanted = new Map(movedTo(target, before).map((tuple) => [JSON.stringify(tuple.config), tuple]));
        for (const tuple of await everythingOf(saver, target))
          equal(tuple, wanted.get(JSON.stringify(tuple.config)));
      }
    },
  }),
];
