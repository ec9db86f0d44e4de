import { describe, expect, it } from "vitest";

import { emptyFolder, run } from "./run-example.js";

describe("examples that need no server", () => {
  it("chat-with-memory remembers from one process to the next", async () => {
    const folder = emptyFolder();
    await run("chat-with-memory", ["I am Ada.", "ada", folder]);
    const second = await run("chat-with-memory", ["I like lamps.", "ada", folder]);
    expect(second).toContain("Before that you said: I am Ada.");
    expect(await run("chat-with-memory", ["Hello!", "grace", folder])).toContain("first thing you told me");
  });

  it("time-travel-and-fork goes on from the middle with another state", async () => {
    const output = await run("time-travel-and-fork", [emptyFolder()]);
    expect(output).toContain("the fork:      train to Lisbon, 7 nights in Lisbon, train home");
    expect(output).toContain("the first one: train to Lisbon, 3 nights in Lisbon, train home");
    expect(output).toContain('"thread_id":"trip"');
    expect(output).toMatch(/pruned: {8}\d+ checkpoints, 2 stay/);
  });

  it("thread-leases puts two processes in a row", async () => {
    const output = await run("thread-leases", [emptyFolder()]);
    const lines = output.split("\n").filter((line) => line.startsWith("  "));
    const names = lines.map((line) => line.trim().split(" ")[0]);
    expect(lines.map((line) => line.trim().split(" ")[1])).toEqual([
      "begins",
      "works",
      "ends",
      "begins",
      "works",
      "ends",
    ]);
    expect(new Set(names.slice(0, 3)).size).toBe(1);
    expect(names[3]).not.toBe(names[0]);
  });

  it("your-own-saver passes the kit whole", async () => {
    const output = await run("your-own-saver", [], { NODE_NO_WARNINGS: "1" });
    expect(output).toContain("start 2: visit 2");
    expect(output).toMatch(/the kit: durable; \d+ passed, 0 failed/);
  });

  it("official-savers-with-the-kit tells what MemorySaver fails", async () => {
    const output = await run("official-savers-with-the-kit", [], { NODE_NO_WARNINGS: "1" });
    expect(output).toMatch(/MemorySaver: not conformant; \d+ passed, [1-9]\d* failed/);
  });
});
