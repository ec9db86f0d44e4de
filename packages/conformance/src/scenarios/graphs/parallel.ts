import { Annotation, Command, END, START, Send, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal, identical } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { thread, collect, appended, interruptsOf, valuesOf } from "./harness.js";
const scenario = inGroup("parallel");

const State = Annotation.Root({ jobs: Annotation<string[]>(), done: appended<string>() });

interface Job {
  job: string;
}

// More than ten, so that an order by "10" < "2" shows.
const many = Array.from({ length: 14 }, (_, index) => `job ${index}`);

function fanOut(checkpointer: BaseCheckpointSaver, work: (job: string) => string | Promise<string>) {
  return new StateGraph(State)
    .addNode("plan", () => ({ done: ["plan"] }))
    .addNode("work", async ({ job }: Job) => ({ done: [await work(job)] }))
    .addNode("sum", (state) => ({ done: [`sum of ${state.done.length}`] }))
    .addEdge(START, "plan")
    .addConditionalEdges("plan", (state) => state.jobs.map((job) => new Send("work", { job })), ["work"])
    .addEdge("work", "sum")
    .addEdge("sum", END)
    .compile({ checkpointer });
}

const asking = (ran: string[]) => (job: string) => {
  ran.push(job);
  return `${job}=${interrupt<string, string>(`${job}?`)}`;
};

export const parallelScenarios: readonly Scenario[] = [
  scenario("send-order", {
    rule: "The branches of Send are joined in the order they were sent.",
    why: "Results of a map-reduce would be attributed to the wrong jobs.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      const result = await fanOut(saver, (job) => `${job} done`).invoke({ jobs: many }, config);
      const expected = ["plan", ...many.map((job) => `${job} done`), "sum of 15"];
      equal(result, { jobs: many, done: expected });
      const graph = fanOut(await reopen(), () => "never");
      equal((await graph.getState(config)).values, { jobs: many, done: expected });
      const history = await collect(graph.getStateHistory(config));
      equal(
        history.map((state) => state.next),
        [[], ["sum"], many.map(() => "work"), ["plan"], ["__start__"]],
      );
    },
  }),

  scenario("sends-again", {
    rule: "The Sends run again from the checkpoint that holds them.",
    why: "Replaying a fan-out would run none of its jobs.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      await fanOut(saver, (job) => `${job} once`).invoke({ jobs: many }, config);
      const graph = fanOut(await reopen(), (job) => `${job} twice`);
      const before = (await collect(graph.getStateHistory(config))).find((state) =>
        state.next.includes("work"),
      )!;
      equal(
        before.tasks.map((task) => task.name),
        many.map(() => "work"),
      );
      const again = await graph.invoke(null, before.config);
      equal(again, {
        jobs: many,
        done: ["plan", ...many.map((job) => `${job} twice`), "sum of 15"],
      });
    },
  }),

  scenario("resume-all", {
    rule: "Interrupts of several branches are resumed at once, each by its id.",
    why: "Approvals of parallel actions would be mixed up.",
    run: async ({ saver, reopen }) => {
      const ran: string[] = [];
      const config = thread();
      const stopped = await fanOut(saver, asking(ran)).invoke({ jobs: many }, config);
      const open = interruptsOf(stopped);
      equal(open.map((i) => String(i.value)).toSorted(), many.map((job) => `${job}?`).toSorted());
      identical(new Set(open.map((i) => i.id)).size, many.length);

      const graph = fanOut(await reopen(), asking(ran));
      equal(
        (await graph.getState(config)).tasks.map((task) => task.interrupts.map((i) => i.value)),
        many.map((job) => [`${job}?`]),
      );
      const resume = Object.fromEntries(open.map((i) => [i.id, `re ${String(i.value)}`]));
      const done = await graph.invoke(new Command({ resume }), config);
      equal(done, {
        jobs: many,
        done: ["plan", ...many.map((job) => `${job}=re ${job}?`), "sum of 15"],
      });
      equal([...ran].toSorted(), [...many, ...many].toSorted());
    },
  }),

  scenario("resume-one-by-one", {
    rule: "The branches are resumed one at a time, and an answered one never runs again.",
    why: "An action that was approved and done would be done again.",
    run: async ({ saver, reopen }) => {
      const jobs = ["a", "b", "c"];
      const ran: string[] = [];
      const config = thread();
      let result: unknown = await fanOut(saver, asking(ran)).invoke({ jobs }, config);
      for (const [round, job] of ["b", "c", "a"].entries()) {
        const open = interruptsOf(result);
        equal(open.length, 3 - round);
        const { id } = open.find((i) => i.value === `${job}?`)!;
        ran.length = 0;
        result = await fanOut(await reopen(), asking(ran)).invoke(
          new Command({ resume: { [id]: round } }),
          config,
        );
        equal(ran.map((name) => `${name}?`).toSorted(), open.map((i) => String(i.value)).toSorted());
      }
      equal(result, { jobs, done: ["plan", "a=2", "b=0", "c=1", "sum of 4"] });
    },
  }),

  scenario("finished-branches-stay", {
    rule: "What finished branches wrote is kept while another branch waits for an answer.",
    why: "Work that is done would be paid for again.",
    run: async ({ saver, reopen }) => {
      const ran: string[] = [];
      const work = (job: string) => {
        ran.push(job);
        return job === "ask" ? `ask=${interrupt<string, string>("?")}` : `${job} done`;
      };
      const config = thread();
      const stopped = await fanOut(saver, work).invoke({ jobs: ["x", "ask", "y"] }, config);
      equal(interruptsOf(stopped).length, 1);
      equal(valuesOf(stopped)["done"], ["plan", "x done", "y done"]);
      const done = await fanOut(await reopen(), work).invoke(new Command({ resume: "yes" }), config);
      equal(done, {
        jobs: ["x", "ask", "y"],
        done: ["plan", "x done", "ask=yes", "y done", "sum of 4"],
      });
      equal([...ran].toSorted(), ["ask", "ask", "x", "y"]);
    },
  }),

  scenario("static-branches", {
    rule: "Static branches of different length are joined.",
    why: "The join would run before its last branch, or never.",
    run: async ({ saver, reopen }) => {
      const build = (checkpointer: BaseCheckpointSaver) =>
        new StateGraph(Annotation.Root({ done: appended<string>() }))
          .addNode("long1", () => ({ done: ["long1"] }))
          .addNode("long2", () => ({ done: [`long2 ${interrupt<string, string>("?")}`] }))
          .addNode("short", () => ({ done: ["short"] }))
          .addNode("join", (state) => ({ done: [`join ${state.done.length}`] }))
          .addEdge(START, "long1")
          .addEdge(START, "short")
          .addEdge("long1", "long2")
          .addEdge(["long2", "short"], "join")
          .compile({ checkpointer });
      const config = thread();
      const stopped = await build(saver).invoke({}, config);
      equal(valuesOf(stopped), { done: ["long1", "short"] });
      // The barrier remembers, through the checkpoint, that "short" has arrived.
      const done = await build(await reopen()).invoke(new Command({ resume: "go" }), config);
      equal(done, { done: ["long1", "short", "long2 go", "join 3"] });
    },
  }),

  scenario("sends-of-a-command", {
    rule: "Sends from a node's Command are taken with its update.",
    why: "Supervisors that hand out work would lose it at the first interrupt.",
    run: async ({ saver, reopen }) => {
      const build = (checkpointer: BaseCheckpointSaver) =>
        new StateGraph(Annotation.Root({ done: appended<string>() }))
          .addNode(
            "boss",
            () =>
              new Command({
                update: { done: ["boss"] },
                goto: ["u", "v"].map((job) => new Send("work", { job })),
              }),
            { ends: ["work"] },
          )
          .addNode("work", ({ job }: { job: string }) => ({
            done: [`${job}=${interrupt<string, string>(job)}`],
          }))
          .addEdge(START, "boss")
          .compile({ checkpointer });
      const config = thread();
      const open = interruptsOf(await build(saver).invoke({}, config));
      const resume = Object.fromEntries(open.map((i) => [i.id, i.value]));
      equal(await build(await reopen()).invoke(new Command({ resume }), config), {
        done: ["boss", "u=u", "v=v"],
      });
    },
  }),
];
