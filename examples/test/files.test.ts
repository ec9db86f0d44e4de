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

  it("move-from-memory-saver leaves nothing behind", async () => {
    const folder = emptyFolder();
    await run("chat-with-memory", ["I am Eve.", "eve", folder]);
    const output = await run("move-from-memory-saver", [folder]);
    expect(output).toMatch(/copied: +2 threads, 11 checkpoints, 14 writes/);
    expect(output).toContain("0 checkpoints and 0 writes are missing or differ");
    const [, next] = output.split("on a FileSaver:");
    expect(next).toContain("I am Ada. / I like lamps. / Do you remember?");
    expect(next).toContain("Refunded 89.90 EUR.");
    expect(next).toMatch(/grace +7 checkpoints in 2 namespace\(s\)/);
    // What was in the files before is left alone.
    expect(next).toMatch(/eve +3 checkpoints/);
  });

  it("move-from-official-sqlite goes on in the middle of a question", async () => {
    const output = await run("move-from-official-sqlite", [emptyFolder()]);
    expect(output).toContain("Would copy 2 threads: 6 checkpoints");
    expect(output).toContain("Copied 2 threads");
    const [, after] = output.split("On a FileSaver:");
    expect(after).toContain("booked three nights in Lisbon");
    // Once for each thread, the one before the move too.
    expect(after).toContain("searched 2 times");
  });

  it("your-own-saver passes the kit whole", async () => {
    const output = await run("your-own-saver");
    expect(output).toContain("start 2: visit 2");
    expect(output).toMatch(/the kit: durable; \d+ passed, 0 failed/);
  });

  it("official-savers-with-the-kit tells what MemorySaver fails", async () => {
    const output = await run("official-savers-with-the-kit");
    expect(output).toMatch(/MemorySaver: not conformant; \d+ passed, [1-9]\d* failed/);
    expect(output).toMatch(/ {2}✗ identity\.thread-ts-alias\n {4}\w/);
  });
});
