import { INTERRUPT, ERROR, type CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";

import { InMemorySaver, taskWritesOf, writesInPosition } from "../../src/index.js";

const at = { configurable: { thread_id: "t", checkpoint_ns: "", checkpoint_id: "1" } };

async function read(saver: InMemorySaver): Promise<CheckpointTuple> {
  const checkpoint = { v: 4, id: "1", ts: "", channel_values: {}, channel_versions: {}, versions_seen: {} };
  await saver.put(
    { configurable: { thread_id: "t" } },
    checkpoint,
    { source: "loop", step: 0, parents: {} },
    {},
  );
  return (await saver.getTuple(at))!;
}

describe("taskWrites", () => {
  it("has the path of each task and the idx of each write, which a tuple does not tell", async () => {
    const saver = new InMemorySaver();
    await saver.putWrites(
      at,
      [
        [INTERRUPT, "q"],
        ["a", 1],
        ["b", 2],
      ],
      "task 2",
      "~0",
    );
    await saver.putWrites(at, [["a", 3]], "task 1", "~1");
    expect(saver.taskWrites(await read(saver))).toEqual([
      {
        taskId: "task 2",
        taskPath: "~0",
        writes: [
          { idx: -3, channel: INTERRUPT, value: "q" },
          { idx: 1, channel: "a", value: 1 },
          { idx: 2, channel: "b", value: 2 },
        ],
      },
      { taskId: "task 1", taskPath: "~1", writes: [{ idx: 0, channel: "a", value: 3 }] },
    ]);
  });

  it("of a tuple from elsewhere are in their order", () => {
    const pendingWrites: CheckpointTuple["pendingWrites"] = [
      ["t", ERROR, "e"],
      ["t", "a", 1],
      ["u", "a", 2],
      ["t", "a", 3],
    ];
    expect(taskWritesOf({ pendingWrites } as CheckpointTuple)).toEqual([
      {
        taskId: "t",
        taskPath: "",
        writes: [
          { idx: -1, channel: ERROR, value: "e" },
          { idx: 0, channel: "a", value: 1 },
          { idx: 1, channel: "a", value: 3 },
        ],
      },
      { taskId: "u", taskPath: "", writes: [{ idx: 0, channel: "a", value: 2 }] },
    ]);
  });

  it("put again as a batch, each write has its idx again", async () => {
    const saver = new InMemorySaver();
    const batch: [string, unknown][] = [
      ["a", 1],
      [INTERRUPT, "q"],
      ["b", 2],
    ];
    await saver.putWrites(at, batch, "task", "path");
    const [before] = saver.taskWrites(await read(saver));
    const copy = new InMemorySaver();
    await copy.putWrites(at, writesInPosition(before!.writes), before!.taskId, before!.taskPath);
    expect(copy.taskWrites(await read(copy))).toEqual([before]);
  });
});
