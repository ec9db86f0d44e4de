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
import { describe, expect, it } from "vitest";
import type { SaverUnderTest } from "../saver-under-test.js";
import { collect, interruptsOf, thread, withSaver } from "./harness.js";

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

export function deltaTests(subject: SaverUnderTest): void {
  describe("delta channels", () => {
    it.each([1, 3, 4, 1000])("rebuild every step with a snapshot every %i updates", (frequency) =>
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        expect(await counting(saver, frequency, 13).invoke({}, { ...config, ...limit })).toEqual({
          items: numbered(13),
        });
        const again = await reopen();
        const history = await collect(counting(again, frequency, 13).getStateHistory(config));
        expect(history.map((state) => state.values.items)).toEqual([
          ...Array.from({ length: 14 }, (_, back) => numbered(13 - back)),
          [],
        ]);
        // The channel really is stored as deltas: a value of its own only where a snapshot was due.
        const stored = (await collect(again.list(config))).map(
          (tuple) => tuple.checkpoint.channel_values["items"],
        );
        expect(stored.filter(isDeltaSnapshot).length).toBe(Math.floor(13 / frequency));
        expect(stored.filter((value) => value === undefined).length).toBe(15 - Math.floor(13 / frequency));
      })(),
    );

    it(
      "go on from a reopened saver, over many runs",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        await counting(saver, 4, 0).invoke({ items: ["in"] }, config);
        for (const total of [7, 12, 30])
          await counting(await reopen(), 4, total).invoke(
            { items: [`to ${total}`] },
            { ...config, ...limit },
          );
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
        expect(items).toEqual(expected);
      }),
    );

    it(
      "stay apart on both sides of a fork",
      withSaver(subject, async ({ saver, reopen }) => {
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
        expect((await again.getState(forked)).values).toEqual({ items: [...numbered(6), "fork"] });
        expect(await again.invoke(null, { ...forked, ...limit })).toEqual({
          items: [...numbered(6), "fork", ...numbered(10).slice(7)],
        });
        const last = counting(await reopen(), 4, 10);
        expect((await last.getState(config)).values).toEqual({
          items: [...numbered(6), "fork", ...numbered(10).slice(7)],
        });
        expect((await last.getState(tip)).values).toEqual({ items: numbered(10) });
      }),
    );

    it(
      "replay the writes of parallel branches as they were applied",
      withSaver(subject, async ({ saver, reopen }) => {
        const build = (checkpointer: BaseCheckpointSaver) =>
          new StateGraph(Annotation.Root({ items: every(1000) }))
            .addNode("work", ({ job }: { job: string }) => ({ items: [job, `${job}'`] }))
            .addConditionalEdges(START, () => numbered(12).map((job) => new Send("work", { job })), ["work"])
            .compile({ checkpointer });
        const config = thread();
        const { items } = await build(saver).invoke({ items: ["in"] }, config);
        expect([...items].toSorted()).toEqual(
          ["in", ...numbered(12).flatMap((job) => [job, `${job}'`])].toSorted(),
        );
        // LangGraph applies a delta channel's writes by task id, live and replayed alike: the orders are the same.
        expect((await build(await reopen()).getState(config)).values).toEqual({ items });
      }),
    );

    it(
      "of different cadence rebuild side by side, also one that is written once",
      withSaver(subject, async ({ saver, reopen }) => {
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
        expect(history[0]!.values).toEqual({ items: numbered(11), rare: ["once"], last: "after 10" });
        expect(history.slice(0, -1).map((state) => state.values.rare)).toEqual(
          Array.from({ length: 12 }, () => ["once"]),
        );
      }),
    );

    it(
      "start over from an Overwrite",
      withSaver(subject, async ({ saver, reopen }) => {
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
        expect(await build(saver).invoke({ items: ["in"] }, config)).toEqual({ items: ["fresh", "c"] });
        const history = await collect(build(await reopen()).getStateHistory(config));
        expect(history.map((state) => state.values.items)).toEqual([
          ["fresh", "c"],
          ["fresh"],
          ["in", "a", "b"],
          ["in"],
          [],
        ]);
      }),
    );

    it(
      "hold messages, with removals, over reopened runs",
      withSaver(subject, async ({ saver, reopen }) => {
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
        expect(messages.map((message) => message.id)).toEqual([
          "human 1",
          "ai 2",
          "human 3",
          "ai 3",
          "human 4",
          "ai 4",
          "human 5",
        ]);
        expect(
          messages.every((message) => HumanMessage.isInstance(message) || AIMessage.isInstance(message)),
        ).toBe(true);
      }),
    );

    it.each(["sync", "async", "exit"] as const)(
      "survive two interrupts and a second run in durability %s",
      (durability) =>
        withSaver(subject, async ({ saver, reopen }) => {
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
            expect(interruptsOf(second).map((i) => i.value)).toEqual(["b?"]);
            return build(await reopen()).invoke(new Command({ resume: "B" }), config);
          };
          const once = ["one", "A", "B", "last"];
          expect(await run("first")).toEqual({ items: ["first", ...once] });
          expect(await run("second")).toEqual({ items: ["first", ...once, "second", ...once] });
          expect((await build(saver).getState(config)).values).toEqual({
            items: ["first", ...once, "second", ...once],
          });
        })(),
    );
  });
}
