import { describe, expect, it } from "vitest";

import { InMemorySaver, ReplicatedSaver, type ReplicatedSaverOptions } from "../../../src/index.js";

const pair = () => ({ primary: new InMemorySaver(), secondary: new InMemorySaver() });

describe("options of ReplicatedSaver", () => {
  it.each<[string, object]>([
    ["no primary", { primary: undefined }],
    ["a secondary that is no saver", { secondary: {} }],
    ["no mode", { mode: undefined }],
    ["an unknown mode", { mode: "semi" }],
    ["an unknown choice for a secondary that is down", { onSecondaryDown: "ignore" }],
    ["an unknown choice for a full queue", { onQueueFull: "drop" }],
    ["a queue for nothing", { queueLimit: 0 }],
    ["a queue of no bytes", { queueBytes: -1 }],
    ["no failure at all", { failureThreshold: 0 }],
    ["a time limit that is no number", { timeoutMs: "15s" }],
    ["a time limit beyond what timers take", { timeoutMs: 2 ** 31 }],
    ["checks without a pause", { checkIntervalMs: 0 }],
    ["a misspelt option", { onSecondaryDwon: "degrade" }],
    ["a negative delay", { failbackDelayMs: -1 }],
  ])("%s is refused", (_, wrong) => {
    const options = { ...pair(), mode: "sync", ...wrong } as ReplicatedSaverOptions;
    expect(() => new ReplicatedSaver(options)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
  });

  it("one saver as both sides is refused", () => {
    const primary = new InMemorySaver();
    expect(() => new ReplicatedSaver({ primary, secondary: primary, mode: "sync" })).toThrow(/two savers/);
  });

  it("a new one serves from the primary, and has nothing to catch up with", async () => {
    await using saver = new ReplicatedSaver({ ...pair(), mode: "async" });
    const side = { state: "up", failures: 0, needsResync: 0, queue: { operations: 0, bytes: 0, threads: 0 } };
    expect(saver.status()).toMatchObject({
      mode: "async",
      active: "primary",
      degraded: false,
      primary: side,
      secondary: side,
    });
  });
});
