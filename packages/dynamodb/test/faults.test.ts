import { describe, expect, it } from "vitest";

import { DynamoDBSaver } from "../src/index.js";
import { newTableName, testClient } from "./support/client.js";
import { config, newId, put, text, values } from "./support/data.js";
import { faultyClient } from "./support/faults.js";

describe("a failing DynamoDB", () => {
  it("loses no acknowledged put or write of parallel writers, and tears no read", async () => {
    const { client, injected } = faultyClient(7);
    const tableName = newTableName();
    const writers = Array.from({ length: 4 }, () => new DynamoDBSaver({ tableName, client }));
    const reader = new DynamoDBSaver({ tableName, client, cacheBytes: 0 });
    const expected = new Map<string, unknown>();
    const finished = new AbortController();
    const reading = (async () => {
      const seen: unknown[] = [];
      while (!finished.signal.aborted) seen.push(await values(reader, "t"));
      return seen;
    })();
    await Promise.all(
      writers.map(async (writer, who) => {
        let parent: string | undefined;
        for (let step = 0; step < 6; step++) {
          const state = { who, step, kept: text(20_000, who + 1), grows: text(3000 * (step + 1), 99) };
          const id = newId();
          await writer.putWrites(
            config("t", id),
            [
              ["grows", text(5000, step)],
              ["who", who],
            ],
            `task ${who}`,
          );
          parent = await put(writer, "t", state, {
            id,
            ...(parent === undefined ? {} : { parent }),
            versions: { who: 1, kept: 1, step: step + 1, grows: step + 1 },
            changed: step === 0 ? ["who", "kept", "step", "grows"] : ["step", "grows"],
          });
          expected.set(id, { state, step });
        }
      }),
    );
    finished.abort();
    for (const state of (await reading) as { who?: number; step?: number; kept?: string; grows?: string }[]) {
      if (state === undefined) continue;
      expect(state.kept).toBe(text(20_000, state.who! + 1));
      expect(state.grows).toBe(text(3000 * (state.step! + 1), 99));
    }
    expect(expected.size).toBe(24);
    const cold = new DynamoDBSaver({ tableName, client: testClient() });
    for (const [id, { state, step }] of expected as Map<string, { state: { who: number }; step: number }>) {
      const tuple = await cold.getTuple(config("t", id));
      expect(tuple?.checkpoint.channel_values).toEqual(state);
      expect(tuple?.pendingWrites).toEqual([
        [`task ${state.who}`, "grows", text(5000, step)],
        [`task ${state.who}`, "who", state.who],
      ]);
    }
    for (const fault of ["throttle", "partialBatch", "conflict", "resetBefore", "resetAfter"])
      expect(injected[fault], fault).toBeGreaterThan(0);
    // All reads are consistent, so there was none to be stale.
    expect(injected["staleReads"]).toBeUndefined();
  });

  it("is an error with a code once the time for retries is over", async () => {
    const { client } = faultyClient(3, { throttle: 1 });
    const saver = new DynamoDBSaver({ tableName: newTableName(), client, retryMs: 200 });
    await expect(put(saver, "t", { a: 1 })).rejects.toMatchObject({
      code: "BACKEND_UNAVAILABLE",
      cause: { name: "ProvisionedThroughputExceededException" },
    });
    await expect(saver.getTuple(config("t"))).rejects.toMatchObject({ code: "BACKEND_UNAVAILABLE" });
  });

  it("that goes on leaving a batch unprocessed is an error, not a silent loss", async () => {
    const client = testClient();
    const tableName = newTableName();
    const saver = new DynamoDBSaver({ tableName, client, retryMs: 300 });
    await saver.setup();
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName !== "BatchWriteItemCommand") return next(args);
          const { RequestItems } = args.input as { RequestItems: object };
          return { response: {}, output: { UnprocessedItems: RequestItems, $metadata: {} } } as never;
        },
      { step: "initialize", name: "busy" },
    );
    await expect(put(saver, "t", { big: text(20_000, 1) })).rejects.toMatchObject({
      code: "BACKEND_UNAVAILABLE",
    });
    expect(await saver.getTuple(config("t"))).toBeUndefined();
  });
});
