import { describe, it, expect, vi, beforeAll, afterAll } from "vitest";
import fc from "fast-check";
import { load as langchainLoad } from "@langchain/core/load";
import { Serializable } from "@langchain/core/load/serializable";
import {
  AIMessage,
  AIMessageChunk,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
  ToolMessageChunk,
  type BaseMessage,
} from "@langchain/core/messages";
import { HumanMessagePromptTemplate, PromptTemplate } from "@langchain/core/prompts";
import { message } from "./arbitraries.js";
import { dumpedJson, jsonPlus, loadJson, roundTrip, same, serializer, thrownBy } from "./helpers.js";

// AIMessage warns about tool calls that are given in additional_kwargs only.
beforeAll(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined));
afterAll(() => void vi.restoreAllMocks());

function sameMessage(actual: unknown, expected: unknown): void {
  expect(Object.getPrototypeOf(actual)).toBe(Object.getPrototypeOf(expected));
  same(actual, expected);
  expect(Object.keys(actual as object)).toEqual(Object.keys(expected as object));
  same((actual as BaseMessage).lc_kwargs, (expected as BaseMessage).lc_kwargs);
  same((actual as BaseMessage).contentBlocks, (expected as BaseMessage).contentBlocks);
}

/**
 * An undefined record in what LangChain escaped: JsonPlusSerializer wrote it for `undefined`, LangChain reads an object.
 * Ours reads the former, and writes the latter another way.
 */
function isAmbiguous(text: string): boolean {
  return text.includes('"lc":2') && text.includes('"type":"undefined"');
}

describe("messages", () => {
  it("dump writes what toJSON() writes", () => {
    fc.assert(
      fc.property(message, (msg) => {
        fc.pre(!isAmbiguous(JSON.stringify(msg)));
        same(dumpedJson(msg), JSON.parse(JSON.stringify(msg)));
      }),
      { numRuns: 2000 },
    );
  });

  it("load builds what LangChain's load builds", async () => {
    await fc.assert(
      fc.asyncProperty(message, async (msg) => {
        const text = JSON.stringify(msg);
        fc.pre(!isAmbiguous(text));
        const expected = await langchainLoad(text);
        const actual = serializer.load("json", new TextEncoder().encode(text));
        expect(actual).not.toBeInstanceOf(Promise);
        sameMessage(actual, expected);
      }),
      { numRuns: 2000 },
    );
  });

  it("a message read and written again is the same text", async () => {
    await fc.assert(
      fc.asyncProperty(message, async (msg) => {
        const loaded = await roundTrip(msg);
        sameMessage(await roundTrip(loaded), loaded);
      }),
      { numRuns: 500 },
    );
  });

  it("dump does not go through toJSON() for the known classes", () => {
    // toJSON() asks every prototype for its secrets.
    const asked = vi.spyOn(Serializable.prototype, "lc_secrets", "get");
    const written = dumpedJson([new HumanMessage("hi")]);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
    expect(written).toStrictEqual([
      {
        lc: 1,
        type: "constructor",
        id: ["langchain_core", "messages", "HumanMessage"],
        kwargs: { content: "hi", additional_kwargs: {}, response_metadata: {} },
      },
    ]);
  });

  it("a message whose toJSON() was replaced is written by it", () => {
    const msg = Object.assign(new HumanMessage("hi"), { toJSON: () => ({ mine: 1 }) });
    expect(dumpedJson(msg)).toStrictEqual({ mine: 1 });
    const off = Object.assign(new HumanMessage("hi"), { lc_serializable: false });
    expect(thrownBy(() => serializer.dump(off))).toHaveProperty(
      "reason",
      "this LangChain object is not serializable",
    );
  });

  it("a subclass is written by its toJSON()", () => {
    class Mine extends AIMessage {
      static override lc_name() {
        return "Mine";
      }
    }
    const msg = new Mine({ content: "x", id: "1" });
    expect(dumpedJson([msg])).toStrictEqual(JSON.parse(JSON.stringify([msg])));
  });

  it("fields with names of any spelling give what LangChain gives", async () => {
    for (const key of ["fooBAR", "foo-bar", "foo1Bar", "_x", "A", "x_1", "snake_2_y", "été"]) {
      const msg = new HumanMessage({ content: "x", [key]: 1 });
      expect(dumpedJson(msg)).toStrictEqual(JSON.parse(JSON.stringify(msg)));
      sameMessage(await loadJson(msg), await langchainLoad(JSON.stringify(msg)));
    }
  });

  it("what an artifact holds survives, records of ours included", async () => {
    const artifact = {
      at: new Date(1),
      big: 5n,
      map: new Map([["k", undefined]]),
      bytes: new Uint8Array([1]),
      not: NaN,
      looksLike: { lc: 2, type: "undefined" },
      inside: { lc: 3, at: new Date(2) },
      deep: [{ lc: 1, x: { lc: 2, type: "undefined" } }],
      escaped: { __lc_escaped__: { a: 1 } },
      reply: [new AIMessage({ content: "y", id: "i" })],
    };
    const loaded = (await roundTrip(
      new ToolMessage({ content: "x", tool_call_id: "t", artifact }),
    )) as ToolMessage;
    expect(loaded.artifact).toStrictEqual(artifact);
    expect((loaded.artifact as typeof artifact).reply[0]).toBeInstanceOf(AIMessage);
  });

  it("keys such as __proto__ in an artifact are ordinary, which LangChain's own escape loses", async () => {
    const artifact = JSON.parse('{"__proto__":{"a":1},"constructor":[2],"toString":{"lc":1}}') as object;
    const loaded = (await roundTrip(
      new ToolMessage({ content: "x", tool_call_id: "t", artifact }),
    )) as ToolMessage;
    expect(() => same(loaded.artifact, artifact)).not.toThrow();
  });

  it("content in the v1 form keeps its blocks and tool calls", async () => {
    const msg = new AIMessage({
      content: [{ type: "text", text: "a" }],
      tool_calls: [{ name: "f", args: { a: 1 }, id: "1", type: "tool_call" }],
      usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
      response_metadata: { output_version: "v1" },
    } as never);
    const loaded = (await roundTrip(msg)) as AIMessage;
    sameMessage(loaded, await langchainLoad(JSON.stringify(msg)));
    expect(loaded.contentBlocks).toEqual(msg.contentBlocks);
    expect(loaded.tool_calls).toEqual(msg.tool_calls);
  });

  it("a RemoveMessage keeps its id", async () => {
    const loaded = (await roundTrip(new RemoveMessage({ id: "gone" }))) as RemoveMessage;
    expect(loaded).toBeInstanceOf(RemoveMessage);
    expect(loaded.id).toBe("gone");
  });

  it("a ToolMessageChunk keeps its tool_call_id, which LangChain's own load loses", async () => {
    const loaded = await roundTrip(new ToolMessageChunk({ content: "x", tool_call_id: "t" }));
    expect(loaded).toBeInstanceOf(ToolMessageChunk);
    expect((loaded as ToolMessageChunk).tool_call_id).toBe("t");
  });

  it("chunks collapse as LangChain collapses them", async () => {
    const msg = new AIMessageChunk({
      content: "",
      tool_call_chunks: [{ name: "f", args: '{"a":1}', id: "1", index: 0 }],
    });
    const loaded = (await roundTrip(msg)) as AIMessageChunk;
    expect(loaded.tool_calls).toEqual([{ name: "f", args: { a: 1 }, id: "1", type: "tool_call" }]);
  });
});

describe("LangChain objects that are not messages", () => {
  const prompt = PromptTemplate.fromTemplate("Hello {name}");

  it("are built by LangChain's load, wherever they are", async () => {
    const value = {
      list: [prompt],
      at: new Date(1),
      template: HumanMessagePromptTemplate.fromTemplate("{x}"),
    };
    const [type, data] = serializer.dump(value);
    const pending = serializer.load(type, data);
    expect(pending).toBeInstanceOf(Promise);
    const loaded = (await pending) as typeof value;
    expect(loaded.list[0]).toBeInstanceOf(PromptTemplate);
    expect(await loaded.list[0]!.format({ name: "you" })).toBe("Hello you");
    expect((await loaded.template.format({ x: "q" })).content).toBe("q");
    expect(loaded.at).toEqual(new Date(1));
  });

  it("equal what JsonPlusSerializer loads", async () => {
    const value = [prompt, HumanMessagePromptTemplate.fromTemplate("{x}")];
    const [type, data] = await jsonPlus.dumpsTyped(value);
    const [a, b] = [await serializer.loadsTyped(type, data), await jsonPlus.loadsTyped(type, data)];
    expect(JSON.stringify(a)).toBe(JSON.stringify(b));
  });

  it("in an artifact, beside binary data", async () => {
    const msg = new ToolMessage({
      content: "x",
      tool_call_id: "t",
      artifact: { prompt, bytes: Buffer.from("b") },
    });
    const loaded = (await roundTrip([msg])) as [ToolMessage];
    expect(loaded[0]).toBeInstanceOf(ToolMessage);
    const artifact = loaded[0].artifact as { prompt: unknown; bytes: unknown };
    expect(artifact.prompt).toBeInstanceOf(PromptTemplate);
    expect(artifact.bytes).toEqual(Buffer.from("b"));
  });

  it("nothing outside LangChain's map is built, and no property of Object is looked up", async () => {
    const name = Object.name;
    for (const id of [
      ["node", "fs"],
      ["langchain_core", "messages", "constructor"],
      ["langchain_core", "messages", "nope"],
      [],
      [1],
    ]) {
      await expect(async () => loadJson({ lc: 1, type: "constructor", id, kwargs: {} })).rejects.toThrow();
    }
    expect(Object.name).toBe(name);
  });

  it("a secret is never resolved", async () => {
    process.env["LGS_TEST_SECRET"] = "hunter2";
    const secret = { lc: 1, type: "secret", id: ["LGS_TEST_SECRET"] };
    expect(loadJson({ secret })).toStrictEqual({ secret });
    for (const cls of ["AIMessage", "PromptValue"]) {
      const record = {
        lc: 1,
        type: "constructor",
        id: ["langchain_core", "messages", cls],
        kwargs: { content: secret },
      };
      await expect(async () => loadJson(record)).rejects.toThrow("secret");
    }
    const kwargs = { lc: 1, type: "secret", id: ["kwargs"] };
    await expect(async () =>
      loadJson({ lc: 1, type: "constructor", id: ["langchain_core", "messages", "AIMessage"], kwargs }),
    ).rejects.toThrow("secret");
    delete process.env["LGS_TEST_SECRET"];
  });
});
