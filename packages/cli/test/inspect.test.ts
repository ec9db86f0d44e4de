import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { displayWidth } from "@langgraph-savers/command/terminal";
import { idOf } from "@langgraph-savers/test/checkpoints";
import { beforeAll, describe, expect, it } from "vitest";

import { json, langgraphSavers } from "./support/command.js";
import { buildGraph, putStep, putThread, runThread } from "./support/histories.js";
import { newStore, opened, scratch } from "./support/stores.js";

const folder = scratch();
let url = "";

beforeAll(async () => {
  url = newStore("file", folder);
  await opened(url, async (_, saver) => {
    await runThread(saver, "ran");
    await buildGraph(saver).invoke(
      { messages: [new HumanMessage("hi")] },
      { configurable: { thread_id: "asks" } },
    );
    await putThread(saver, "user:4711/a-very-long-id-that-does-not-fit-into-a-narrow-screen-and-ends-in-1");
    await putStep(saver, "ada@example.com", 0, { values: { count: 1, text: "old", gone: true } });
    const values = {
      count: 2,
      text: "new",
      come: { at: new Date(0), big: 10n, bytes: new Uint8Array(3) },
      messages: [
        new HumanMessage({ content: "what?", id: "m1" }),
        new AIMessage({ content: "that", id: "m2" }),
      ],
    };
    await putStep(saver, "ada@example.com", 1, { parent: 0, values });
  });
});

describe("threads", () => {
  it("is a table that fits the screen, with what is cut cut in the middle", async () => {
    for (const columns of [80, 160]) {
      const { out } = await langgraphSavers(["threads", url], { columns });
      expect(Math.max(...out.split("\n").map(displayWidth))).toBeLessThanOrEqual(columns);
      expect(out).toMatch(/^thread +checkpoints/);
      expect(out).toMatch(columns === 80 ? /user:4711\/a\S*…\S*ends-in-1/ : /and-ends-in-1 /);
      expect(out).toContain("4 threads");
    }
  });

  it("is sorted, filtered and cut as asked", async () => {
    const ids = async (...argv: string[]) =>
      (await json<{ threadId: string }[]>(["threads", url, ...argv])).map(({ threadId }) => threadId);
    expect(await ids("--sort", "id")).toEqual([
      "ada@example.com",
      "asks",
      "ran",
      expect.stringContaining("user:"),
    ]);
    expect(await ids("--sort", "id", "--reverse", "--limit", "2")).toEqual([
      expect.stringContaining("user:"),
      "ran",
    ]);
    expect(await ids("--sort", "checkpoints", "--limit", "1")).toEqual(["ran"]);
    expect(await ids("--prefix", "a", "--sort", "id")).toEqual(["ada@example.com", "asks"]);
    expect(await ids("--since", "1h")).toHaveLength(4);
  });

  it("has only those of the time asked for", async () => {
    const later = new Date(Date.now() + 3 * 3_600_000);
    const { out } = await langgraphSavers(["threads", url, "--since", "1h"], { now: later });
    expect(out).toBe("No threads.\n");
  });
});

describe("show", () => {
  it("has the newest state, and what is asked of a human", async () => {
    const { code, out } = await langgraphSavers(["show", url, "asks"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^thread +asks$/m);
    expect(out).toMatch(/^next +child$/m);
    expect(out).toMatch(/^waits for +\? an answer to \{"question": "go on\?"\}$/m);
    expect(out).toMatch(/human +hi/);
    expect(out).toMatch(/ai +hello/);
    expect(out).toContain("Writes that wait (1)");
    expect(out).not.toContain("branch:to");
    expect((await langgraphSavers(["show", url, "asks", "--all"])).out).toContain("branch:to:child");
  });

  it("has a checkpoint by its id, the beginning of it, or its distance from the newest", async () => {
    const oldest = { checkpointId: idOf(0), state: { count: 1 } };
    for (const name of [idOf(0), "~1"])
      expect(await json(["show", url, "ada@example.com", name])).toMatchObject(oldest);
    const { checkpointId } = await json<{ checkpointId: string }>(["show", url, "asks"]);
    expect(await json(["show", url, "asks", checkpointId.slice(0, -1)])).toMatchObject({ checkpointId });
    expect(await langgraphSavers(["show", url, "ada@example.com", idOf(0).slice(0, -1)])).toMatchObject({
      code: 2,
      err: expect.stringContaining("2 checkpoints of the thread begin with that"),
    });
  });

  it("cuts long values to the screen, and with --full shows all of them, still within it", async () => {
    const store = newStore("file", folder);
    const text = Array.from({ length: 40 }, (_, at) => `wort${at}  東京`).join(" ");
    await opened(store, (_, saver) =>
      putStep(saver, "t", 0, { values: { inner: { text }, said: [new HumanMessage(text)] } }),
    );
    const shown = async (...more: string[]) => (await langgraphSavers(["show", store, "t", ...more])).out;
    expect(await shown()).not.toContain("wort39");
    const full = await shown("--full");
    for (const out of [await shown(), full])
      expect(Math.max(...out.split("\n").map(displayWidth))).toBeLessThanOrEqual(80);
    expect(full.match(/wort39 {2}東京/g)).toHaveLength(2);
  });

  it("has values as JSON that loses nothing that can be seen", async () => {
    const { state } = await json<{ state: unknown }>(["show", url, "ada@example.com"]);
    expect(state).toMatchObject({
      come: { at: "1970-01-01T00:00:00.000Z", big: "10n", bytes: "<3 bytes>" },
      messages: [
        { type: "human", content: "what?" },
        { type: "ai", content: "that" },
      ],
    });
  });

  it("says when there is no such thread, checkpoint or namespace", async () => {
    for (const [argv, words] of [
      [["nobody"], 'There is no thread "nobody"'],
      [["asks", "1234abcd"], "There is no checkpoint"],
      [["asks", "~99"], "stored ancestor"],
      [["asks", "--ns", "none"], 'namespace "none"'],
    ] as const)
      expect(await langgraphSavers(["show", url, ...argv])).toMatchObject({
        code: 1,
        err: expect.stringContaining(words),
      });
  });
});

describe("history", () => {
  it("draws forks, oldest last, and fits the screen", async () => {
    const thread = "user:4711/a-very-long-id-that-does-not-fit-into-a-narrow-screen-and-ends-in-1";
    const { out } = await langgraphSavers(["history", url, thread]);
    const rails = out
      .split("\n")
      .slice(0, 4)
      .map((line) => line.replace(/ {2}.*/, "").trimEnd());
    expect(rails).toEqual(["●", "│ ●", "├─╯", "●"]);
    expect(out).toContain("3 checkpoints");
    for (const columns of [80, 160]) {
      const { out: text } = await langgraphSavers(["history", url, "ran"], { columns });
      expect(Math.max(...text.split("\n").map(displayWidth))).toBeLessThanOrEqual(columns);
      expect(text).toMatch(/^namespace child:/m);
    }
  });

  it("has the columns of all namespaces below each other", async () => {
    const { out } = await langgraphSavers(["history", url, "ran"]);
    const rows = out.split("\n").filter((line) => line.includes("●"));
    const columns = rows.map((line) => line.search(/ (input|loop|update) /));
    expect(new Set(columns).size).toBe(1);
    expect(out).toContain("namespace child:");
  });

  it("can be typed from: the ids that it shows are enough for show", async () => {
    const { out } = await langgraphSavers(["history", url, "ran", "--ns", ""]);
    const short = /^[●│ ]+ {2}(\S+)/m.exec(out)![1]!;
    expect(short.length).toBeLessThan(36);
    expect(await langgraphSavers(["show", url, "ran", short])).toMatchObject({ code: 0 });
  });

  it("says what is left out", async () => {
    const { out } = await langgraphSavers(["history", url, "ran", "--limit", "2"]);
    expect(out).toContain("--limit 0 shows all");
    const all = await json<unknown[]>(["history", url, "ran", "--limit", "0"]);
    expect(all.length).toBeGreaterThan(6);
    expect(await langgraphSavers(["history", url, "nobody"])).toMatchObject({ code: 1 });
  });
});

describe("diff", () => {
  it("names each place that changed, of a thread whose id has an @ too", async () => {
    const { code, out } = await langgraphSavers(["diff", url, "ada@example.com@~1"]);
    expect(code).toBe(1);
    expect(out).toMatch(/^count {2}1 → 2$/m);
    expect(out).toMatch(/^text {2}"old" → "new"$/m);
    expect(out).toMatch(/^gone {2}− true$/m);
    expect(out).toMatch(/^messages\n {2}\+ human {2}what\?\n {2}\+ ai +that$/m);
    expect(out).toMatch(/^list\[3\] {2}\+ "item 3"$/m);
  });

  it("puts what changed at one place together, and tells of a message that only got another id so", async () => {
    const store = newStore("file", folder);
    await opened(store, async (_, saver) => {
      const said = (content: string, id: string) => new HumanMessage({ content, id });
      await putStep(saver, "t", 0, { values: { messages: [said("same", "a"), said("old", "b")] } });
      const messages = [said("same", "c"), said("new", "d")];
      await putStep(saver, "t", 1, { parent: 0, values: { messages } });
    });
    const { out } = await langgraphSavers(["diff", store, "t@~1"]);
    expect(out).toMatch(/^messages\[0\]\.id {2}"a" → "c"$/m);
    expect(out).toMatch(/^messages\[1\]\n {2}− human {2}old\n {2}\+ human {2}new$/m);
  });

  it("between two threads, or of one checkpoint with itself", async () => {
    const { changes } = await json<{ changes: unknown[] }>(["diff", url, "ada@example.com", "asks"]);
    expect(changes.length).toBeGreaterThan(3);
    const same = await langgraphSavers(["diff", url, "asks", "asks"]);
    expect(same).toMatchObject({ code: 0, out: expect.stringContaining("The same state.") });
  });
});
