import {
  AIMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from "@langchain/core/messages";
import { MessagesAnnotation, REMOVE_ALL_MESSAGES, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal, identical, containsPart } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { thread, collect, type ThreadConfig } from "./harness.js";
const scenario = inGroup("chat");

const humans = (messages: BaseMessage[]) =>
  messages.filter((message) => HumanMessage.isInstance(message)).length;

function chat(checkpointer: BaseCheckpointSaver, reply: (messages: BaseMessage[]) => BaseMessage[]) {
  return new StateGraph(MessagesAnnotation)
    .addNode("model", (state) => ({ messages: reply(state.messages) }))
    .addEdge(START, "model")
    .compile({ checkpointer });
}

type Chat = ReturnType<typeof chat>;

const echo = (messages: BaseMessage[]) => [
  new AIMessage({ id: `ai ${humans(messages)}`, content: `re: ${messages.at(-1)!.text}` }),
];

const human = (turn: number | string) =>
  new HumanMessage({ id: `human ${turn}`, content: `question ${turn} — ünïcode 🦜` });

async function messagesOf(graph: Chat, config: ThreadConfig): Promise<BaseMessage[]> {
  return ((await graph.getState(config)).values as { messages: BaseMessage[] }).messages;
}

export const chatScenarios: readonly Scenario[] = [
  scenario("long-chat", {
    rule: "A long chat has the history of every turn.",
    why: "The chat is the most common graph of all: it would forget or repeat.",
    run: async ({ saver, reopen }) => {
      const turns = 20;
      const config = thread();
      let graph = chat(saver, echo);
      for (let turn = 1; turn <= turns; turn++) {
        if (turn % 5 === 0) graph = chat(await reopen(), echo);
        await graph.invoke({ messages: [human(turn)] }, config);
      }
      const reader = chat(await reopen(), echo);
      const messages = await messagesOf(reader, config);
      const ids = Array.from({ length: turns }, (_, index) => [
        `human ${index + 1}`,
        `ai ${index + 1}`,
      ]).flat();
      equal(
        messages.map((message) => message.id),
        ids,
      );
      equal(
        messages.map((message) => message.text),
        ids.map((id) =>
          id
            .replace(/^human (\d+)$/, "question $1 — ünïcode 🦜")
            .replace(/^ai (\d+)$/, "re: question $1 — ünïcode 🦜"),
        ),
      );
      const history = await collect(reader.getStateHistory(config));
      const lengths = history
        .filter((state) => state.next.length === 0)
        .map((state) => state.values.messages.length);
      equal(
        lengths,
        Array.from({ length: turns }, (_, index) => 2 * (turns - index)),
      );
    },
  }),

  scenario("instances", {
    rule: "Messages come back as instances of their classes, whole.",
    why: "The model's API would refuse the conversation.",
    run: async ({ saver, reopen }) => {
      const call = {
        id: "call 1",
        name: "search",
        args: { query: "cats", depth: [1, { deep: true }] },
        type: "tool_call" as const,
      };
      const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };
      const sent = [
        new SystemMessage({ id: "system", content: "be brief" }),
        new HumanMessage({
          id: "human",
          content: [
            { type: "text", text: "look" },
            { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          ],
          name: "Ada",
        }),
        new AIMessage({
          id: "ai",
          content: "",
          tool_calls: [call],
          usage_metadata: usage as never,
          response_metadata: { model: "m", logprobs: null },
          additional_kwargs: { refusal: null, nested: { a: [1] } },
        }),
        new ToolMessage({
          id: "tool",
          content: "found",
          tool_call_id: "call 1",
          name: "search",
          status: "error",
          artifact: {
            rows: [
              [1, "x"],
              [2, null],
            ],
          },
        }),
      ];
      const config = thread();
      await chat(saver, () => []).invoke({ messages: sent }, config);
      const [system, person, ai, tool] = await messagesOf(
        chat(await reopen(), () => []),
        config,
      );
      equal(
        [
          SystemMessage.isInstance(system),
          HumanMessage.isInstance(person),
          AIMessage.isInstance(ai),
          ToolMessage.isInstance(tool),
        ],
        [true, true, true, true],
      );
      equal(
        [system, person, ai, tool].map((message) => message!.toDict()),
        sent.map((message) => message.toDict()),
      );
      equal((ai as AIMessage).tool_calls, [call]);
      equal((ai as AIMessage).usage_metadata, usage);
      containsPart(tool, {
        tool_call_id: "call 1",
        status: "error",
        artifact: {
          rows: [
            [1, "x"],
            [2, null],
          ],
        },
      });
    },
  }),

  scenario("tool-loop", {
    rule: "A tool loop is carried from call to answer.",
    why: "A tool's answer would not find its call.",
    run: async ({ saver, reopen }) => {
      const build = (checkpointer: BaseCheckpointSaver) =>
        new StateGraph(MessagesAnnotation)
          .addNode("model", (state) => {
            const last = state.messages.at(-1)!;
            const done = ToolMessage.isInstance(last) && last.text === "3";
            const round = state.messages.filter((message) => ToolMessage.isInstance(message)).length + 1;
            return {
              messages: [
                done
                  ? new AIMessage("done")
                  : new AIMessage({
                      content: "",
                      tool_calls: [{ id: `call ${round}`, name: "count", args: { round } }],
                    }),
              ],
            };
          })
          .addNode("tools", (state) => {
            const [call] = (state.messages.at(-1) as AIMessage).tool_calls!;
            return {
              messages: [new ToolMessage({ content: String(call!.args["round"]), tool_call_id: call!.id! })],
            };
          })
          .addEdge(START, "model")
          .addConditionalEdges(
            "model",
            (state) => ((state.messages.at(-1) as AIMessage).tool_calls?.length ? "tools" : "__end__"),
            ["tools", "__end__"],
          )
          .addEdge("tools", "model")
          .compile({ checkpointer, interruptBefore: ["tools"] });
      const config = thread();
      let result = await build(saver).invoke({ messages: [human("count")] }, config);
      for (let round = 1; round <= 3; round++) result = await build(await reopen()).invoke(null, config);
      equal(
        result.messages.map((message) => message.type),
        ["human", "ai", "tool", "ai", "tool", "ai", "tool", "ai"],
      );
      equal(
        result.messages
          .filter((message) => ToolMessage.isInstance(message))
          .map((message) => message.tool_call_id),
        ["call 1", "call 2", "call 3"],
      );
      identical(result.messages.at(-1)!.text, "done");
      equal(
        (await messagesOf(build(await reopen()) as never, config)).map((message) => message.id),
        result.messages.map((message) => message.id),
      );
    },
  }),

  scenario("remove-message", {
    rule: "Messages are removed by RemoveMessage, and are still there in the checkpoints before.",
    why: "Trimming would not trim, or would trim the past.",
    run: async ({ saver, reopen }) => {
      const trim = (messages: BaseMessage[]) =>
        messages.length > 4
          ? messages.slice(0, 3).map((message) => new RemoveMessage({ id: message.id! }))
          : echo(messages);
      const config = thread();
      for (let turn = 1; turn <= 3; turn++)
        await chat(turn === 3 ? await reopen() : saver, trim).invoke({ messages: [human(turn)] }, config);
      const history = await collect(chat(await reopen(), trim).getStateHistory(config));
      equal(
        history.slice(0, 3).map((state) => state.values.messages.map((message: BaseMessage) => message.id)),
        [
          ["ai 2", "human 3"],
          ["human 1", "ai 1", "human 2", "ai 2", "human 3"],
          ["human 1", "ai 1", "human 2", "ai 2"],
        ],
      );
    },
  }),

  scenario("remove-all", {
    rule: "All messages are removed at once, and the thread goes on.",
    why: "A summarised conversation would come back in full.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      await chat(saver, echo).invoke({ messages: [human(1)] }, config);
      await chat(await reopen(), () => [
        new RemoveMessage({ id: REMOVE_ALL_MESSAGES }),
        new AIMessage({ id: "summary", content: "so far" }),
      ]).invoke({ messages: [human(2)] }, config);
      const result = await chat(await reopen(), () => []).invoke({ messages: [human(3)] }, config);
      equal(
        result.messages.map((message) => message.id),
        ["summary", "human 3"],
      );
    },
  }),

  scenario("replace-by-id", {
    rule: "A message is replaced in place by one of the same id.",
    why: "An edited message would appear twice, or change the past.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      await chat(saver, echo).invoke({ messages: [human(1)] }, config);
      const graph = chat(await reopen(), echo);
      await graph.updateState(config, {
        messages: [new HumanMessage({ id: "human 1", content: "edited" })],
      });
      const messages = await messagesOf(chat(await reopen(), echo), config);
      equal(
        messages.map((message) => [message.id, message.text]),
        [
          ["human 1", "edited"],
          ["ai 1", "re: question 1 — ünïcode 🦜"],
        ],
      );
      const before = (await collect(graph.getStateHistory(config, { limit: 2 })))[1]!;
      identical(before.values.messages[0].text, "question 1 — ünïcode 🦜");
    },
  }),
];
