import { RESUME } from "@langchain/langgraph-checkpoint";

import { equal } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { configOf, putOne, writesOf, type PutWritesWithPath } from "./calls.js";
const scenario = inGroup("taskPath");

export const taskPathScenarios: readonly Scenario[] = [
  scenario("reading-order", {
    rule: "With a taskPath, writes are read by (taskPath, taskId, idx).",
    why: "LangGraph 1.7 replays in this order: results of parallel branches would swap places.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t");
      const put: PutWritesWithPath = saver.putWrites.bind(saver);
      await put(
        configOf("t", id),
        [
          ["a", 1],
          ["b", 2],
        ],
        "k1",
        "~__pregel_pull, z",
      );
      await put(configOf("t", id), [["a", 3]], "k3", "~__pregel_pull, a");
      await put(
        configOf("t", id),
        [
          ["a", 4],
          [RESUME, 5],
        ],
        "k2",
        "~__pregel_pull, a",
      );
      await put(configOf("t", id), [["a", 6]], "k9");
      equal(await writesOf(saver, "t", id), [
        ["k9", "a", 6],
        ["k2", RESUME, 5],
        ["k2", "a", 4],
        ["k3", "a", 3],
        ["k1", "a", 1],
        ["k1", "b", 2],
      ]);
    },
  }),
];
