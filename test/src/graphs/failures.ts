import { Annotation, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import type { SaverUnderTest } from "../saver-under-test.js";
import { appended, collect, thread, withSaver } from "./harness.js";

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

export function failureTests(subject: SaverUnderTest): void {
  describe("failing nodes", () => {
    it.each(["sync", "async"] as const)(
      "keep the sibling's write, which is not run again (durability %s)",
      (durability) =>
        withSaver(subject, async ({ saver, reopen }) => {
          const plan = fresh();
          const config = thread();
          await expect(failOnce(saver, plan, config, durability)).rejects.toThrow("bad is broken");

          const again = await reopen();
          const tuple = (await again.getTuple(config))!;
          expect(
            tuple.pendingWrites!.filter(([, channel]) => channel === "trail").map(([, , value]) => value),
          ).toEqual([["good"]]);
          expect(tuple.pendingWrites!.filter(([, channel]) => channel === "__error__")).toHaveLength(1);
          const state = await branches(again, plan).getState(config);
          expect(state.next).toEqual(["bad"]);

          plan.broken = false;
          expect(await branches(again, plan).invoke(null, config)).toEqual({
            trail: ["split", "bad", "good", "join"],
          });
          expect(plan.ran).toEqual(["split", "bad", "good", "bad", "join"]);
        })(),
    );

    it(
      "are shown with their error in the state",
      withSaver(subject, async ({ saver, reopen }) => {
        const plan = fresh();
        const config = thread();
        await expect(failOnce(saver, plan, config, "sync")).rejects.toThrow("bad is broken");
        const state = await branches(await reopen(), plan).getState(config);
        const bad = state.tasks.find((task) => task.name === "bad")!;
        expect(bad.error).toMatchObject({ name: "TypeError", message: "bad is broken" });
        expect(state.tasks.find((task) => task.name === "good")!.error).toBeUndefined();
      }),
    );

    it(
      "may fail again and again before they succeed",
      withSaver(subject, async ({ saver, reopen }) => {
        const plan = fresh();
        const config = thread();
        await expect(failOnce(saver, plan, config, "sync")).rejects.toThrow("bad is broken");
        for (let round = 0; round < 3; round++) {
          await expect(branches(await reopen(), plan).invoke(null, config)).rejects.toThrow("bad is broken");
        }
        plan.broken = false;
        const graph = branches(await reopen(), plan);
        await graph.invoke(null, config);
        expect(plan.ran).toEqual(["split", "bad", "good", "bad", "bad", "bad", "bad", "join"]);
        const history = await collect(graph.getStateHistory(config));
        expect(history.map((snapshot) => snapshot.metadata!.step)).toEqual([3, 2, 1, 0, -1]);
      }),
    );

    it(
      "are retried by their policy, and leave no error behind",
      withSaver(subject, async ({ saver, reopen }) => {
        const attempts = { count: 0 };
        const config = thread();
        expect(await flaky(saver, attempts, 2).invoke({}, config)).toEqual({
          trail: ["before", "attempt 3"],
        });
        const again = await reopen();
        const history = await collect(flaky(again, attempts, 0).getStateHistory(config));
        expect(history.map((snapshot) => snapshot.values.trail)).toEqual([
          ["before", "attempt 3"],
          ["before"],
          [],
          [],
        ]);
        const writes = (await collect(again.list(config))).flatMap((tuple) => tuple.pendingWrites ?? []);
        expect(writes.filter(([, channel]) => channel === "__error__")).toEqual([]);
      }),
    );

    it(
      "resume after the policy gave up",
      withSaver(subject, async ({ saver, reopen }) => {
        const attempts = { count: 0 };
        const config = thread();
        await expect(flaky(saver, attempts, 4).invoke({}, config)).rejects.toThrow("attempt 3");
        const graph = flaky(await reopen(), attempts, 4);
        const state = await graph.getState(config);
        expect([state.values, state.next]).toEqual([{ trail: ["before"] }, ["flaky"]]);
        expect(await graph.invoke(null, config)).toEqual({ trail: ["before", "attempt 5"] });
      }),
    );

    it(
      "do not stop a new input from starting over",
      withSaver(subject, async ({ saver, reopen }) => {
        const plan = fresh();
        const config = thread();
        await expect(failOnce(saver, plan, config, "sync")).rejects.toThrow("bad is broken");
        plan.broken = false;
        const result = await branches(await reopen(), plan).invoke({ trail: ["new"] }, config);
        expect(result).toEqual({ trail: ["split", "new", "split", "bad", "good", "join"] });
        expect(plan.ran.slice(3)).toEqual(["split", "bad", "good", "join"]);
      }),
    );
  });
}
