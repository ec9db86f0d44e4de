import {
  Annotation,
  Command,
  DeltaChannel,
  END,
  Overwrite,
  START,
  Send,
  StateGraph,
  interrupt,
  messagesDeltaReducer,
} from "@langchain/langgraph";
import {
  AIMessage,
  HumanMessage,
  RemoveMessage,
  type BaseMessage,
  type BaseMessageLike,
} from "@langchain/core/messages";
import { isDeltaSnapshot, type BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal, identical } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { thread, collect, interruptsOf } from "./harness.js";
const scenario = inGroup("deltaChannels");

const every = (snapshotFrequency: number) => () =>
  new DeltaChannel<string[], string[]>((state, writes) => state.concat(...writes), { snapshotFrequency });

const numbered = (count: number, prefix = "item ") =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** Appends one item a step, until there are `total`. */
function counting(checkpointer: BaseCheckpointSaver, frequency: number, total: number) {
  return new StateGraph(Annotation.Root({ items: every(frequency) }))
    .addNode("step", (state) => ({ items: [`item ${state.items.length}`] }))
    .addEdge(START, "step")
    .addConditionalEdges("step", (state) => (state.items.length < total ? "step" : END), ["step", END])
    .compile({ checkpointer });
}

const limit = { recursionLimit: 200 };

export const deltaChannelsScenarios: readonly Scenario[] = [
  scenario("every-frequency", {
    rule: "Every step is rebuilt, whatever the frequency of snapshots.",
    why: "The state would differ from the one the run had, depending on a tuning parameter.",
    needs: ["deltaHistory"],
    run: async ({ saver, reopen }) => {
      for (const frequency of [1, 3, 4, 1000]) {
        const config = thread();
        equal(await counting(saver, frequency, 13).invoke({}, { ...config, ...limit }), {
          items: numbered(13),
        });
        const again = await reopen();
        const history = await collect(counting(again, frequency, 13).getStateHistory(config));
        equal(
          history.map((state) => state.values.items),
          [...Array.from({ length: 14 }, (_, back) => numbered(13 - back)), []],
        );
        // The channel really is stored as deltas: a value of its own only where a snapshot was due.
        const stored = (await collect(again.list(config))).map(
          (tuple) => tuple.checkpoint.channel_values["items"],
        );
        identical(stored.filter(isDeltaSnapshot).length, Math.floor(13 / frequency));
        identical(stored.filter((value) => value === undefined).length, 15 - Math.floor(13 / frequency));
      }
    },
  }),

  scenario("over-runs", {
    rule: "A delta channel goes on from a reopened saver, over many runs.",
    why: "Each restart would lose or double the updates since the last snapshot.",
    needs: ["deltaHistory"],
    run: async ({ saver, reopen }) => {
      const config = thread();
      await counting(saver, 4, 0).invoke({ items: ["in"] }, config);
      for (const total of [7, 12, 30])
        await counting(await reopen(), 4, total).invoke({ items: [`to ${total}`] }, { ...config, ...limit });
      const { items } = (await counting(await reopen(), 4, 0).getState(config)).values as {
        items: string[];
      };
      const expected = [
        "in",
        "item 1",
        "to 7",
        ...numbered(7).slice(3),
        "to 12",
        ...numbered(12).slice(8),
        "to 30",
        ...numbered(30).slice(13),
      ];
      equal(items, expected);
    },
  }),

  scenario("both-sides-of-a-fork", {
    rule: "Delta channels stay apart on both sides of a fork.",
    why: "Updates of one branch would show up in the other.",
    needs: ["deltaHistory"],
    run: async ({ saver, reopen }) => {
      const config = thread();
      const graph = counting(saver, 4, 10);
      await graph.invoke({}, { ...config, ...limit });
      const tip = (await graph.getState(config)).config;
      const point = (await collect(graph.getStateHistory(config))).find(
        (state) => state.values.items.length === 6,
      )!;
      // By way of a copy: updateState on the checkpoint itself adds its write beside those of the old branch, and
      // LangGraph 1.4 replays both.
      const copied = await graph.updateState(point.config, null, "__copy__");
      const again = counting(await reopen(), 4, 10);
      const forked = await again.updateState(copied, { items: ["fork"] }, "step");
      equal((await again.getState(forked)).values, { items: [...numbered(6), "fork"] });
      equal(await again.invoke(null, { ...forked, ...limit }), {
        items: [...numbered(6), "fork", ...numbered(10).slice(7)],
      });
      const last = counting(await reopen(), 4, 10);
      equal((await last.getState(config)).values, {
        items: [...numbered(6), "fork", ...numbered(10).slice(7)],
      });
      equal((await last.getState(tip)).values, { items: numbered(10) });
    },
  }),

  scenario("parallel-writes", {
    rule: "The writes of parallel branches are replayed as they were applied.",
    why: "The rebuilt list would be in another order than the one the run saw.",
    needs: ["deltaHistory"],
    run: async ({ saver, reopen }) => {
      const build = (checkpointer: BaseCheckpointSaver) =>
        new StateGraph(Annotation.Root({ items: every(1000) }))
          .addNode("work", ({ job }: { job: string }) => ({ items: [job, `${job}'`] }))
          .addConditionalEdges(START, () => numbered(12).map((job) => new Send("work", { job })), ["work"])
          .compile({ checkpointer });
      const config = thread();
      const { items } = await build(saver).invoke({ items: ["in"] }, config);
      equal([...items].toSorted(), ["in", ...numbered(12).flatMap((job) => [job, `${job}'`])].toSorted());
      // LangGraph applies a delta channel's writes by task id, live and replayed alike: the orders are the same.
      equal((await build(await reopen()).getState(config)).values, { items });
    },
  }),

  scenario("different-cadence", {
    rule: "Channels of different cadence are rebuilt side by side, also one that is written once.",
    why: "The rarely written channel would be lost at the other's snapshot.",
    needs: ["deltaHistory"],
    run: async ({ saver, reopen }) => {
      const build = (checkpointer: BaseCheckpointSaver) =>
        new StateGraph(Annotation.Root({ items: every(3), rare: every(5), last: Annotation<string>() }))
          .addNode("step", (state) => ({
            items: [`item ${state.items.length}`],
            last: `after ${state.items.length}`,
          }))
          .addEdge(START, "step")
          .addConditionalEdges("step", (state) => (state.items.length < 11 ? "step" : END), ["step", END])
          .compile({ checkpointer });
      const config = thread();
      await build(saver).invoke({ rare: ["once"] }, { ...config, ...limit });
      const history = await collect(build(await reopen()).getStateHistory(config));
      equal(history[0]!.values, { items: numbered(11), rare: ["once"], last: "after 10" });
      equal(
        history.slice(0, -1).map((state) => state.values.rare),
        Array.from({ length: 12 }, () => ["once"]),
      );
    },
  }),

  scenario("overwrite", {
    rule: "A channel starts over from an Overwrite.",
    why: "What was overwritten would come back at the next read.",
    needs: ["deltaHistory"],
    run: async ({ saver, reopen }) => {
      const build = (checkpointer: BaseCheckpointSaver) =>
        new StateGraph(Annotation.Root({ items: every(1000) }))
          .addNode("fill", () => ({ items: ["a", "b"] }))
          .addNode("reset", () => ({ items: new Overwrite(["fresh"]) }))
          .addNode("more", () => ({ items: ["c"] }))
          .addEdge(START, "fill")
          .addEdge("fill", "reset")
          .addEdge("reset", "more")
          .compile({ checkpointer });
      const config = thread();
      equal(await build(saver).invoke({ items: ["in"] }, config), { items: ["fresh", "c"] });
      const history = await collect(build(await reopen()).getStateHistory(config));
      equal(
        history.map((state) => state.values.items),
        [["fresh", "c"], ["fresh"], ["in", "a", "b"], ["in"], []],
      );
    },
  }),

  scenario("messages", {
    rule: "A delta channel holds messages, with removals, over reopened runs.",
    why: "Messages that were removed would come back.",
    needs: ["deltaHistory"],
    run: async ({ saver, reopen }) => {
      const Chat = Annotation.Root({
        messages: () =>
          new DeltaChannel<BaseMessage[], BaseMessageLike | BaseMessageLike[]>(
            messagesDeltaReducer as never,
            { snapshotFrequency: 5 },
          ),
      });
      const build = (checkpointer: BaseCheckpointSaver) =>
        new StateGraph(Chat)
          .addNode("reply", (state) => {
            const turn = state.messages.filter((message) => message.type === "human").length;
            const dropped =
              turn === 4 ? [new RemoveMessage({ id: "ai 1" }), new RemoveMessage({ id: "human 2" })] : [];
            return {
              messages: [new AIMessage({ id: `ai ${turn}`, content: `reply ${turn}` }), ...dropped],
            };
          })
          .addEdge(START, "reply")
          .compile({ checkpointer });
      const config = thread();
      for (let turn = 1; turn <= 5; turn++) {
        await build(turn % 2 ? saver : await reopen()).invoke(
          { messages: [new HumanMessage({ id: `human ${turn}`, content: `question ${turn}` })] },
          config,
        );
      }
      const { messages } = (await build(await reopen()).getState(config)).values as {
        messages: BaseMessage[];
      };
      // After turn 4 one human message is gone, so turn 5 counts four and replaces "ai 4" in place.
      equal(
        messages.map((message) => message.id),
        ["human 1", "ai 2", "human 3", "ai 3", "human 4", "ai 4", "human 5"],
      );
      identical(
        messages.every((message) => HumanMessage.isInstance(message) || AIMessage.isInstance(message)),
        true,
      );
    },
  }),

  scenario("interrupts", {
    rule: "It survives two interrupts and a second run in every durability mode.",
    why: "An update would be applied once for each time the node was resumed.",
    needs: ["deltaHistory"],
    run: async ({ saver, reopen }) => {
      for (const durability of ["sync", "async", "exit"] as const) {
        const build = (checkpointer: BaseCheckpointSaver) =>
          new StateGraph(Annotation.Root({ items: every(1000) }))
            .addNode("one", () => ({ items: ["one"] }))
            .addNode("ask", () => ({
              items: [interrupt<string, string>("a?"), interrupt<string, string>("b?")],
            }))
            .addNode("last", () => ({ items: ["last"] }))
            .addEdge(START, "one")
            .addEdge("one", "ask")
            .addEdge("ask", "last")
            .compile({ checkpointer });
        const config = { ...thread(), durability };
        const run = async (input: string) => {
          await build(await reopen()).invoke({ items: [input] }, config);
          const second = await build(await reopen()).invoke(new Command({ resume: "A" }), config);
          equal(
            interruptsOf(second).map((i) => i.value),
            ["b?"],
          );
          return build(await reopen()).invoke(new Command({ resume: "B" }), config);
        };
        const once = ["one", "A", "B", "last"];
        equal(await run("first"), { items: ["first", ...once] });
        equal(await run("second"), { items: ["first", ...once, "second", ...once] });
        equal((await build(saver).getState(config)).values, {
          items: ["first", ...once, "second", ...once],
        });
      }
    },
  }),
];
