import { Annotation, Command, END, interrupt, START, StateGraph } from "@langchain/langgraph";
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { afterEach, describe, expect, it } from "vitest";

import { InMemorySaver } from "../../../src/index.js";
import { config } from "../../support.js";
import { all, closeAll, drained, replicate, until } from "./support.js";

const times = { checkIntervalMs: 5, failbackDelayMs: 1, failureThreshold: 2 };

/** Asks twice, in one node and in the next, and counts how often each node was started. */
function approvals() {
  const started = { ask: 0, again: 0 };
  const state = Annotation.Root({
    log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  });
  const graph = new StateGraph(state)
    .addNode("ask", () => {
      started.ask += 1;
      return { log: [`ask: ${interrupt("first?")}`] };
    })
    .addNode("again", () => {
      started.again += 1;
      return { log: [`again: ${interrupt("second?")}`] };
    })
    .addEdge(START, "ask")
    .addEdge("ask", "again")
    .addEdge("again", END);
  return { graph, started };
}

afterEach(closeAll);

describe.each([
  ["sync", [new InMemorySaver(), new InMemorySaver()]],
  ["async", [new InMemorySaver(), new InMemorySaver()]],
  ["async", [new InMemorySaver(), new MemorySaver()]],
] as const)("a graph that waits for people, %s", (mode, savers) => {
  it("goes on through failover and failback, and loses no step", async () => {
    const { saver, primary, secondary, types } = replicate({ mode, ...times }, [...savers]);
    const { graph, started } = approvals();
    const app = graph.compile({ checkpointer: saver });
    const at = config("chat");
    await app.invoke({ log: ["start"] }, at);
    expect((await app.getState(at)).tasks[0]?.interrupts[0]?.value).toBe("first?");

    primary.kill();
    await app.invoke(new Command({ resume: "yes" }), at);
    await until(() => saver.status().active === "secondary");
    const waiting = await app.getState(at);
    expect(waiting.values).toEqual({ log: ["start", "ask: yes"] });
    expect(waiting.tasks[0]?.interrupts[0]?.value).toBe("second?");

    primary.restart();
    await until(() => types().includes("failback"));
    const done = await app.invoke(new Command({ resume: "no" }), at);
    expect(done).toEqual({ log: ["start", "ask: yes", "again: no"] });
    expect(started).toEqual({ ask: 2, again: 2 });

    await drained(saver);
    const steps: unknown[] = [];
    for await (const snapshot of app.getStateHistory(at)) steps.push(snapshot.metadata?.step);
    expect(steps).toEqual([2, 1, 0, -1]);
    const values = async (side: typeof primary) =>
      (await all(side.inner)).map((tuple) => [tuple.checkpoint, tuple.parentConfig]);
    expect(await values(secondary)).toEqual(await values(primary));
  });
});
