import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { DynamoDBSaver } from "../src/index.js";
import { newTableName, testClient } from "./support/client.js";

const RUNS = 200;
const AT_ONCE = 20;
const BRANCHES = ["a", "b", "c", "d"] as const;

const State = Annotation.Root({
  log: Annotation<string[], string[]>({
    reducer: (left, right) => left.concat(right),
    default: () => [],
  }),
});

function graphOver(checkpointer: DynamoDBSaver) {
  const graph = new StateGraph(State).addNode("join", () => ({ log: ["join"] })).addEdge("join", END);
  for (const branch of BRANCHES) {
    graph.addNode(branch, () => ({ log: [branch] }));
    graph.addEdge(START, branch as never);
    graph.addEdge(branch as never, "join");
  }
  return graph.compile({ checkpointer });
}

describe("parallel branches on fresh threads", () => {
  it(
    `${RUNS} of ${RUNS} runs succeed, from the first moment of the table`,
    { timeout: 120_000 },
    async () => {
      const saver = new DynamoDBSaver({ tableName: newTableName(), client: testClient() });
      const graph = graphOver(saver);
      const run = async (at: number): Promise<string[]> => {
        const { log } = await graph.invoke({ log: ["in"] }, { configurable: { thread_id: `fresh ${at}` } });
        return log;
      };
      const logs: string[][] = [];
      for (let at = 0; at < RUNS; at += AT_ONCE) {
        logs.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, offset) => run(at + offset)))));
      }
      expect(logs).toHaveLength(RUNS);
      for (const log of logs) expect(log).toEqual(["in", ...BRANCHES, "join"]);
    },
  );
});
