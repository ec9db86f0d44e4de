import { Annotation, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal, rejects, containsPart } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { thread, collect, appended } from "./harness.js";
const scenario = inGroup("failures");

const State = Annotation.Root({ trail: appended<string>() });

interface Plan {
  ran: string[];
  broken: boolean;
  /** "bad" fails only when this settles: after its sibling's write has been accepted. */
  goodIsWritten: Promise<void>;
}

function branches(checkpointer: BaseCheckpointSaver, plan: Plan) {
  return new StateGraph(State)
    .addNode("split", () => (plan.ran.push("split"), { trail: ["split"] }))
    .addNode("good", () => (plan.ran.push("good"), { trail: ["good"] }))
    .addNode("bad", async () => {
      plan.ran.push("bad");
      await plan.goodIsWritten;
      if (plan.broken) throw new TypeError("bad is broken");
      return { trail: ["bad"] };
    })
    .addNode("join", () => (plan.ran.push("join"), { trail: ["join"] }))
    .addEdge(START, "split")
    .addEdge("split", "good")
    .addEdge("split", "bad")
    .addEdge(["good", "bad"], "join")
    .compile({ checkpointer });
}

/** Runs until "bad" fails, with "good" done before. */
async function failOnce(
  checkpointer: BaseCheckpointSaver,
  plan: Plan,
  config: ReturnType<typeof thread>,
  durability: "sync" | "async",
) {
  let written!: () => void;
  plan.goodIsWritten = new Promise((resolve) => (written = resolve));
  for await (const update of await branches(checkpointer, plan).stream(
    {},
    { ...config, durability, streamMode: "updates" },
  )) {
    if ("good" in update) written();
  }
}

const fresh = (): Plan => ({ ran: [], broken: true, goodIsWritten: Promise.resolve() });

function flaky(checkpointer: BaseCheckpointSaver, attempts: { count: number }, failures: number) {
  return new StateGraph(State)
    .addNode("before", () => ({ trail: ["before"] }))
    .addNode(
      "flaky",
      () => {
        attempts.count += 1;
        if (attempts.count <= failures) throw new Error(`attempt ${attempts.count}`);
        return { trail: [`attempt ${attempts.count}`] };
      },
      {
        retryPolicy: {
          maxAttempts: 3,
          initialInterval: 1,
          jitter: false,
          logWarning: false,
          retryOn: () => true,
        },
      },
    )
    .addEdge(START, "before")
    .addEdge("before", "flaky")
    .compile({ checkpointer });
}

export const failuresScenarios: readonly Scenario[] = [
  scenario("sibling-not-run-again", {
    rule: "The write of a failing node's sibling is kept, and the sibling is not run again.",
    why: "Work that is done, and its side effects, would be done again.",
    run: async ({ saver, reopen }) => {
      for (const durability of ["sync", "async"] as const) {
        const plan = fresh();
        const config = thread();
        await rejects(failOnce(saver, plan, config, durability), "bad is broken");

        const again = await reopen();
        const tuple = (await again.getTuple(config))!;
        equal(
          tuple.pendingWrites!.filter(([, channel]) => channel === "trail").map(([, , value]) => value),
          [["good"]],
        );
        equal(tuple.pendingWrites!.filter(([, channel]) => channel === "__error__").length, 1);
        const state = await branches(again, plan).getState(config);
        equal(state.next, ["bad"]);

        plan.broken = false;
        equal(await branches(again, plan).invoke(null, config), {
          trail: ["split", "bad", "good", "join"],
        });
        equal(plan.ran, ["split", "bad", "good", "bad", "join"]);
      }
    },
  }),

  scenario("error-is-shown", {
    rule: "A failed node is shown with its error in the state.",
    why: "Nobody could tell why a thread stopped.",
    run: async ({ saver, reopen }) => {
      const plan = fresh();
      const config = thread();
      await rejects(failOnce(saver, plan, config, "sync"), "bad is broken");
      const state = await branches(await reopen(), plan).getState(config);
      const bad = state.tasks.find((task) => task.name === "bad")!;
      containsPart(bad.error, { name: "TypeError", message: "bad is broken" });
      equal(state.tasks.find((task) => task.name === "good")!.error, undefined);
    },
  }),

  scenario("again-and-again", {
    rule: "A node may fail again and again before it succeeds.",
    why: "The second failure would be refused, or the success ignored because an error is stored.",
    run: async ({ saver, reopen }) => {
      const plan = fresh();
      const config = thread();
      await rejects(failOnce(saver, plan, config, "sync"), "bad is broken");
      for (let round = 0; round < 3; round++) {
        await rejects(branches(await reopen(), plan).invoke(null, config), "bad is broken");
      }
      plan.broken = false;
      const graph = branches(await reopen(), plan);
      await graph.invoke(null, config);
      equal(plan.ran, ["split", "bad", "good", "bad", "bad", "bad", "bad", "join"]);
      const history = await collect(graph.getStateHistory(config));
      equal(
        history.map((snapshot) => snapshot.metadata!.step),
        [3, 2, 1, 0, -1],
      );
    },
  }),

  scenario("retry-policy", {
    rule: "A node is retried by its policy, and leaves no error behind.",
    why: "The thread would look failed although it went on.",
    run: async ({ saver, reopen }) => {
      const attempts = { count: 0 };
      const config = thread();
      equal(await flaky(saver, attempts, 2).invoke({}, config), {
        trail: ["before", "attempt 3"],
      });
      const again = await reopen();
      const history = await collect(flaky(again, attempts, 0).getStateHistory(config));
      equal(
        history.map((snapshot) => snapshot.values.trail),
        [["before", "attempt 3"], ["before"], [], []],
      );
      const writes = (await collect(again.list(config))).flatMap((tuple) => tuple.pendingWrites ?? []);
      equal(
        writes.filter(([, channel]) => channel === "__error__"),
        [],
      );
    },
  }),

  scenario("policy-gave-up", {
    rule: "A run resumes after the policy gave up.",
    why: "Outages longer than the policy's patience would lose the thread.",
    run: async ({ saver, reopen }) => {
      const attempts = { count: 0 };
      const config = thread();
      await rejects(flaky(saver, attempts, 4).invoke({}, config), "attempt 3");
      const graph = flaky(await reopen(), attempts, 4);
      const state = await graph.getState(config);
      equal([state.values, state.next], [{ trail: ["before"] }, ["flaky"]]);
      equal(await graph.invoke(null, config), { trail: ["before", "attempt 5"] });
    },
  }),

  scenario("new-input", {
    rule: "A failed node does not stop a new input from starting over.",
    why: "A thread with a failure would be dead for ever.",
    run: async ({ saver, reopen }) => {
      const plan = fresh();
      const config = thread();
      await rejects(failOnce(saver, plan, config, "sync"), "bad is broken");
      plan.broken = false;
      const result = await branches(await reopen(), plan).invoke({ trail: ["new"] }, config);
      equal(result, { trail: ["split", "new", "split", "bad", "good", "join"] });
      equal(plan.ran.slice(3), ["split", "bad", "good", "join"]);
    },
  }),
];
