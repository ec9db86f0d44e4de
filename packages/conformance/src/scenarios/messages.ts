import {
  AIMessage,
  AIMessageChunk,
  ChatMessage,
  ChatMessageChunk,
  FunctionMessage,
  FunctionMessageChunk,
  HumanMessage,
  HumanMessageChunk,
  RemoveMessage,
  SystemMessage,
  SystemMessageChunk,
  ToolMessage,
  ToolMessageChunk,
  type BaseMessage,
} from "@langchain/core/messages";

import { equal, identical, check } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { configOf, putOne, valuesOf, writesOf } from "./calls.js";
const scenario = inGroup("messages");

// The cast below: under exactOptionalPropertyTypes the declared fields of AIMessage leave no room for `usage_metadata`.
const messages: BaseMessage[] = [
  new HumanMessage({ content: "hello", id: "1", name: "ann", additional_kwargs: { extra: { deep: [1] } } }),
  new HumanMessage({
    content: [
      { type: "text", text: "look" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
    ],
  }),
  new AIMessage({
    content: "calling",
    id: "2",
    response_metadata: { model_name: "m", finish_reason: "tool_calls" },
    tool_calls: [
      { id: "c1", name: "search", args: { q: "x", nested: { list: [1, null] } }, type: "tool_call" },
    ],
    invalid_tool_calls: [
      { id: "c2", name: "broken", args: "{", error: "bad JSON", type: "invalid_tool_call" },
    ],
    usage_metadata: {
      input_tokens: 1,
      output_tokens: 2,
      total_tokens: 3,
      input_token_details: { cache_read: 1 },
    },
  } as unknown as string),
  new AIMessage({
    content: [
      { type: "text", text: "in parts" },
      { type: "reasoning", reasoning: "because" },
    ],
  }),
  new AIMessage(""),
  new SystemMessage({ content: "be brief", id: "3" }),
  new ToolMessage({
    content: "found",
    tool_call_id: "c1",
    name: "search",
    artifact: { rows: [{ a: 1 }] },
    status: "error",
    id: "4",
  }),
  new FunctionMessage({ content: "result", name: "fn" }),
  new ChatMessage({ content: "hm", role: "critic" }),
  new RemoveMessage({ id: "1" }),
  new AIMessageChunk({
    content: "str",
    tool_call_chunks: [{ name: "search", args: '{"q":', id: "c3", index: 0, type: "tool_call_chunk" }],
  }),
  new HumanMessageChunk("part"),
  new SystemMessageChunk("part"),
  new ToolMessageChunk({ content: "part", tool_call_id: "c1" }),
  new FunctionMessageChunk({ content: "part", name: "fn" }),
  new ChatMessageChunk({ content: "part", role: "critic" }),
];

function checkSame(got: unknown, sent: BaseMessage): void {
  identical((got as BaseMessage).constructor, sent.constructor);
  equal(JSON.parse(JSON.stringify(got)), JSON.parse(JSON.stringify(sent)));
  equal((got as BaseMessage).content, sent.content);
  identical((got as BaseMessage).text, sent.text);
  identical((got as BaseMessage).getType(), sent.getType());
  // What a subclass adds (tool calls, usage, role, artifact) is on the instance too, not only in its JSON.
  for (const key of [
    "tool_calls",
    "invalid_tool_calls",
    "tool_call_chunks",
    "usage_metadata",
    "tool_call_id",
    "artifact",
    "status",
    "role",
    "name",
    "id",
  ]) {
    // LangChain's own loader does not give a ToolMessageChunk its call back.
    if (key === "tool_call_id" && sent instanceof ToolMessageChunk) continue;
    equal(
      (got as Record<string, unknown>)[key],
      (sent as unknown as Record<string, unknown>)[key],
      `values of ${key}`,
    );
  }
}

export const messagesScenarios: readonly Scenario[] = [
  scenario("every-class", {
    rule: "Every LangChain message class round-trips as itself, alone, in a list and in a write.",
    why: "A chat would lose tool calls, or treat a tool's answer as a human's.",
    run: async ({ saver }) => {
      const values = {
        list: messages,
        ...Object.fromEntries(messages.map((message, at) => [`m${at}`, message])),
      };
      const id = await putOne(saver, "t", { values });
      await saver.putWrites(
        configOf("t", id),
        messages.map((message) => ["messages", message]),
        "k",
      );
      const stored = await valuesOf(saver, "t", id);
      const writes = await writesOf(saver, "t", id);
      equal((stored["list"] as unknown[]).length, messages.length);
      for (const [at, message] of messages.entries()) {
        checkSame((stored["list"] as unknown[])[at], message);
        checkSame(stored[`m${at}`], message);
        checkSame(writes[at]?.[2], message);
      }
    },
  }),

  scenario("still-works", {
    rule: "A stored message still works as a message.",
    why: "Calls to a model would fail with plain objects in place of messages.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t", {
        values: { chunk: new AIMessageChunk("he"), message: new AIMessage("hello") },
      });
      const { chunk, message } = (await valuesOf(saver, "t", id)) as {
        chunk: AIMessageChunk;
        message: AIMessage;
      };
      identical(chunk.concat(new AIMessageChunk("llo")).content, "hello");
      check(message instanceof AIMessage, "an instance of AIMessage");
      identical(AIMessage.isInstance(message), true);
    },
  }),

  scenario("nested", {
    rule: "Messages deep inside other values round-trip.",
    why: "Agents that keep conversations per user in a Map would lose them.",
    run: async ({ saver }) => {
      const [human, , ai] = messages as [BaseMessage, BaseMessage, BaseMessage];
      const id = await putOne(saver, "t", {
        values: {
          c: new Map<string, unknown>([
            ["a", { list: [human] }],
            ["b", new Set([ai])],
          ]),
        },
      });
      const map = (await valuesOf(saver, "t", id))["c"] as Map<string, unknown>;
      checkSame((map.get("a") as { list: unknown[] }).list[0], human);
      checkSame([...(map.get("b") as Set<unknown>)][0], ai);
    },
  }),

  scenario("long-chat", {
    rule: "A chat of 600 messages over 20 turns has every turn as it was.",
    why: "Long conversations would be cut off, or their past would change.",
    timeoutMs: 60_000,
    run: async ({ saver }) => {
      const chat = Array.from({ length: 600 }, (_, at) =>
        at % 2
          ? new AIMessage({ content: `answer ${at} `.repeat(20), id: `${at}` })
          : new HumanMessage({ content: `question ${at}`, id: `${at}` }),
      );
      let parent: string | undefined;
      const ids: string[] = [];
      for (let turn = 1; turn <= 20; turn += 1) {
        parent = await putOne(saver, "t", {
          values: { messages: chat.slice(0, turn * 30) },
          versions: { messages: turn },
          ...(parent === undefined ? {} : { parent }),
        });
        ids.push(parent);
      }
      for (const [at, id] of ids.entries()) {
        const stored = (await valuesOf(saver, "t", id))["messages"] as BaseMessage[];
        equal(
          stored.map((message) => [message.constructor, message.id, message.content]),
          chat.slice(0, (at + 1) * 30).map((message) => [message.constructor, message.id, message.content]),
        );
      }
    },
  }),
];
