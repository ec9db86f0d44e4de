import { Command } from "@langchain/langgraph";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { check, equal } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { configOf, getOne, newId, putOne, threeKeys } from "../calls.js";
import { inGroup } from "../define.js";
import { thread, valuesOf } from "../graphs/harness.js";
import { askingGraph, deltaGraph, notesGraph, questions } from "./graphs.js";
import { chainValues, everythingOf, idOf, manager, putChain, refusedUnchanged, write } from "./harness.js";

const scenario = inGroup("forkThread");
const needs = ["fork"] as const;

function threadOf(config: RunnableConfig): string {
  return config.configurable?.["thread_id"] as string;
}

/** A run of the graph of notes, and its checkpoint in front of a node. */
async function beforeNode(
  saver: BaseCheckpointSaver,
  node: string,
): Promise<{ graph: ReturnType<typeof notesGraph>; id: string }> {
  const graph = notesGraph(saver);
  await graph.invoke({ topic: "cats" }, thread("source"));
  for await (const state of graph.getStateHistory(thread("source"))) {
    if (state.next[0] === node) return { graph, id: state.config.configurable?.["checkpoint_id"] as string };
  }
  throw new Error(`no checkpoint in front of ${node}`);
}

export const forkThreadScenarios: readonly Scenario[] = [
  scenario("goes-on-at-once", {
    rule: "The config that it returns is ready for `graph.invoke(null, config)`: the graph goes on from that checkpoint, in the new thread.",
    why: "Forking would take knowledge of how LangGraph stores its state.",
    needs,
    run: async ({ saver }) => {
      const { graph, id } = await beforeNode(saver, "second");
      const config = await manager(saver).fork(configOf("source", id));
      check(threadOf(config) !== "source", "the config names a new thread");
      equal((await graph.invoke(null, config)).notes, ["first cats", "second cats"]);
      const next = { configurable: { thread_id: threadOf(config) } };
      equal((await graph.invoke({ topic: "dogs" }, next)).notes.slice(2), ["first dogs", "second dogs"]);
    },
  }),

  scenario("newest", {
    rule: "Without a checkpoint id it forks from the newest one of the namespace.",
    why: "It would go on from some other state than the one that everybody sees.",
    needs,
    run: async ({ saver }) => {
      const ids = await putChain(saver, "source", 3);
      await putOne(saver, "source", { namespace: "n" });
      const config = await manager(saver).fork(configOf("source"));
      const { checkpoint } = await getOne(saver, threadOf(config));
      equal(checkpoint.channel_values, chainValues("source", 2));
      equal(checkpoint.id, ids[2]);
    },
  }),

  scenario("any-checkpoint", {
    rule: "From an older checkpoint it has that one's values and writes, and nothing that came after it.",
    why: "The new thread would know of a future that it was forked to avoid.",
    needs,
    run: async ({ saver }) => {
      const ids = await putChain(saver, "source", 4);
      await write(saver, "source", ids[1]!, "its own");
      await write(saver, "source", ids[3]!, "later");
      const config = await manager(saver).fork(configOf("source", ids[1]!));
      const { checkpoint, pendingWrites } = await getOne(saver, threadOf(config));
      equal(checkpoint.channel_values, chainValues("source", 1));
      equal(pendingWrites, [["task", "a", "its own"]]);
      const later = (await everythingOf(saver, threadOf(config))).map(idOf).filter((id) => id > ids[1]!);
      equal(later, []);
    },
  }),

  scenario("edits", {
    rule: "Edits take the place of the channels' values, and the next node sees them.",
    why: "What a person changed before going on would be ignored, or be added to what was there.",
    needs,
    run: async ({ saver }) => {
      const { graph, id } = await beforeNode(saver, "second");
      const edits = { topic: "bees", notes: ["edited"] };
      const config = await manager(saver).fork(configOf("source", id), { edits });
      equal((await graph.getState(config)).values, edits);
      equal((await graph.invoke(null, config)).notes, ["edited", "second bees"]);
      equal((await graph.getState(thread("source"))).values, {
        notes: ["first cats", "second cats"],
        topic: "cats",
      });
    },
  }),

  scenario("edits-have-new-versions", {
    rule: "Edited channels have versions greater than any that the checkpoint has; the others keep theirs, and their values.",
    why: "Nodes that watch an edited channel would not run: they have seen that version.",
    needs,
    run: async ({ saver }) => {
      const id = await putOne(saver, "source", {
        values: { seen: "old", other: "x".repeat(5000) },
        versions: { seen: 2, other: 5 },
      });
      const config = await manager(saver).fork(configOf("source", id), { edits: { seen: "new" } });
      const { checkpoint } = await getOne(saver, threadOf(config));
      equal(checkpoint.channel_values, { seen: "new", other: "x".repeat(5000) });
      equal(checkpoint.channel_versions["other"], 5);
      check(
        Number(checkpoint.channel_versions["seen"]) > 5,
        "the edited channel's version is greater than 5",
      );
    },
  }),

  scenario("edits-are-taken-at-once", {
    rule: "Edits are taken as they are when fork is called: nothing is shared with the caller.",
    why: "A caller that goes on changing its object would change the new thread.",
    needs,
    run: async ({ saver }) => {
      await putOne(saver, "source", { values: { list: [1] } });
      const edits = { list: [2] };
      const forking = manager(saver).fork(configOf("source"), { edits });
      edits.list.push(3);
      const config = await forking;
      edits.list.push(4);
      equal((await getOne(saver, threadOf(config))).checkpoint.channel_values, { list: [2] });
    },
  }),

  scenario("says-where-from", {
    rule: "The metadata has in `forked_from` the thread, the namespace and the checkpoint that it came from, beside what was there.",
    why: "Nobody could tell later what a thread was forked from.",
    needs,
    run: async ({ saver }) => {
      const [id] = await putChain(saver, "source", 1, { metadata: { tag: "mine" } });
      const config = await manager(saver).fork(configOf("source", id!), { threadId: "new" });
      equal(threadOf(config), "new");
      const metadata = (await getOne(saver, "new")).metadata as Record<string, unknown>;
      equal(metadata["forked_from"], threeKeys("source", id!).configurable);
      equal([metadata["tag"], metadata["step"]], ["mine", 0]);
    },
  }),

  scenario("new-thread-each-time", {
    rule: "Without a name, every fork is a new thread.",
    why: "A second attempt would go on in the first one's thread.",
    needs,
    run: async ({ saver }) => {
      await putOne(saver, "source", { values: { a: 1 } });
      const configs = await Promise.all([1, 2, 3].map(() => manager(saver).fork(configOf("source"))));
      equal(new Set([...configs.map(threadOf), "source"]).size, 4);
      for (const config of configs)
        equal((await getOne(saver, threadOf(config))).checkpoint.channel_values, { a: 1 });
    },
  }),

  scenario("parents-are-there", {
    rule: "A parent that is named in the new thread is there.",
    why: "A walk through the history would end at a checkpoint that cannot be found.",
    needs,
    run: async ({ saver }) => {
      const ids = await putChain(saver, "source", 3);
      for (const options of [{}, { edits: { step: 9 } }]) {
        const config = await manager(saver).fork(configOf("source", ids[2]!), options);
        for (const { parentConfig } of await everythingOf(saver, threadOf(config)))
          if (parentConfig !== undefined)
            check((await saver.getTuple(parentConfig)) !== undefined, "the parent is found");
      }
    },
  }),

  scenario("independent", {
    rule: "The source is as it was, and what happens to it later does not reach the fork.",
    why: "A fork that refers to the values of its source is unreadable once the source is gone.",
    needs,
    run: async ({ saver, reopen }) => {
      await putChain(saver, "source", 3);
      await putOne(saver, "source", { values: { big: "x".repeat(30_000) } });
      const before = await everythingOf(saver, "source");
      const plain = threadOf(await manager(saver).fork(configOf("source")));
      const edited = threadOf(await manager(saver).fork(configOf("source"), { edits: { more: 1 } }));
      equal(await everythingOf(saver, "source"), before);
      await saver.deleteThread("source");
      const again = await reopen();
      equal((await getOne(again, plain)).checkpoint.channel_values, { big: "x".repeat(30_000) });
      equal((await getOne(again, edited)).checkpoint.channel_values, { big: "x".repeat(30_000), more: 1 });
    },
  }),

  scenario("interrupt", {
    rule: "An interrupt that waits, in a subgraph too, is answered in the fork, and still waits in the source.",
    why: "The state of the subgraph would be left behind, and its steps run again.",
    needs,
    run: async ({ saver, reopen }) => {
      await askingGraph(saver).invoke({ topic: "go" }, thread("source"));
      const config = await manager(saver).fork(thread("source"));
      const graph = askingGraph(await reopen(), "prepared again");
      equal(await questions(graph, config), ["may I go?"]);
      const answered = await graph.invoke(new Command({ resume: "yes" }), config);
      equal(valuesOf(answered), { notes: ["prepared", "answer: yes", "done"], topic: "go" });
      equal(await questions(graph, thread("source")), ["may I go?"]);
    },
  }),

  scenario("delta-channels", {
    rule: "A delta channel has its whole value in the fork, with edits and without, after the source is gone too.",
    why: "The fork would lack the changes that ancestors hold.",
    needs: ["fork", "deltaHistory"],
    run: async ({ saver, reopen }) => {
      const graph = deltaGraph(saver);
      for (const word of ["one", "two"]) await graph.invoke({ words: [word] }, thread("source"));
      const plain = await manager(saver).fork(thread("source"));
      const edited = await manager(saver).fork(thread("source"), { edits: { other: 1 } });
      await saver.deleteThread("source");
      const again = deltaGraph(await reopen());
      const words = ["one", "echo", "two", "echo"];
      for (const config of [plain, edited]) {
        equal((await again.getState(config)).values, { words });
        equal((await again.invoke({ words: ["three"] }, config)).words, [...words, "three", "echo"]);
      }
    },
  }),

  scenario("unknown-checkpoint", {
    rule: "A checkpoint, or a thread, that is not there is refused with a coded error, and no thread is made.",
    why: "An empty thread would pass for a fork.",
    needs,
    run: async ({ saver }) => {
      const id = await putOne(saver, "source");
      const fork = (config: RunnableConfig) => manager(saver).fork(config, { threadId: "new" });
      await refusedUnchanged(saver, () => fork(configOf("source", newId())));
      await refusedUnchanged(saver, () => fork(configOf("none")));
      await refusedUnchanged(saver, () => fork(configOf("none", id)));
      await refusedUnchanged(saver, () => fork(configOf("source", id, "n")));
    },
  }),

  scenario("existing-thread", {
    rule: "A new thread that is there already is refused with a coded error, and nothing changes.",
    why: "Two conversations would become one.",
    needs,
    run: async ({ saver }) => {
      await putOne(saver, "source");
      await putOne(saver, "there", { namespace: "n" });
      await refusedUnchanged(saver, () => manager(saver).fork(configOf("source"), { threadId: "there" }));
    },
  }),

  scenario("bad-input", {
    rule: "What cannot be forked to or edited is refused with a coded error, and leaves no half of a fork.",
    why: "A fork that fails at its edits would leave a thread without them behind.",
    needs,
    run: async ({ saver }) => {
      const id = await putOne(saver, "source", { values: { a: 1 } });
      const fork = (options: Record<string, unknown>, config = configOf("source", id)) =>
        manager(saver).fork(config, options);
      await refusedUnchanged(saver, () => fork({ threadId: "source" }));
      await refusedUnchanged(saver, () => fork({ threadId: {} }));
      await refusedUnchanged(saver, () => fork({ edits: ["a"] }));
      await refusedUnchanged(saver, () => fork({ edits: "a" }));
      await refusedUnchanged(saver, () => fork({ edits: { a: () => 1 } }));
      await refusedUnchanged(saver, () => fork({}, configOf()));
      await refusedUnchanged(saver, () => fork({}, configOf({ $gt: "" })));
    },
  }),
];
