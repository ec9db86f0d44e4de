import { Annotation, Command, END, START, Send, StateGraph, interrupt } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import type { SaverUnderTest } from "../saver-under-test.js";
import { appended, collect, interruptsOf, thread, valuesOf, withSaver } from "./harness.js";

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

export function parallelTests(subject: SaverUnderTest): void {
  describe("parallel branches", () => {
    it(
      "joins the branches of Send in the order they were sent",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        const result = await fanOut(saver, (job) => `${job} done`).invoke({ jobs: many }, config);
        const expected = ["plan", ...many.map((job) => `${job} done`), "sum of 15"];
        expect(result).toEqual({ jobs: many, done: expected });
        const graph = fanOut(await reopen(), () => "never");
        expect((await graph.getState(config)).values).toEqual({ jobs: many, done: expected });
        const history = await collect(graph.getStateHistory(config));
        expect(history.map((state) => state.next)).toEqual([
          [],
          ["sum"],
          many.map(() => "work"),
          ["plan"],
          ["__start__"],
        ]);
      }),
    );

    it(
      "runs the Sends again from the checkpoint that holds them",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        await fanOut(saver, (job) => `${job} once`).invoke({ jobs: many }, config);
        const graph = fanOut(await reopen(), (job) => `${job} twice`);
        const before = (await collect(graph.getStateHistory(config))).find((state) =>
          state.next.includes("work"),
        )!;
        expect(before.tasks.map((task) => task.name)).toEqual(many.map(() => "work"));
        const again = await graph.invoke(null, before.config);
        expect(again).toEqual({
          jobs: many,
          done: ["plan", ...many.map((job) => `${job} twice`), "sum of 15"],
        });
      }),
    );

    it(
      "resumes interrupts of several branches at once, each by its id",
      withSaver(subject, async ({ saver, reopen }) => {
        const ran: string[] = [];
        const config = thread();
        const stopped = await fanOut(saver, asking(ran)).invoke({ jobs: many }, config);
        const open = interruptsOf(stopped);
        expect(open.map((i) => i.value).toSorted()).toEqual(many.map((job) => `${job}?`).toSorted());
        expect(new Set(open.map((i) => i.id)).size).toBe(many.length);

        const graph = fanOut(await reopen(), asking(ran));
        expect(
          (await graph.getState(config)).tasks.map((task) => task.interrupts.map((i) => i.value)),
        ).toEqual(many.map((job) => [`${job}?`]));
        const resume = Object.fromEntries(open.map((i) => [i.id, `re ${String(i.value)}`]));
        const done = await graph.invoke(new Command({ resume }), config);
        expect(done).toEqual({
          jobs: many,
          done: ["plan", ...many.map((job) => `${job}=re ${job}?`), "sum of 15"],
        });
        expect([...ran].toSorted()).toEqual([...many, ...many].toSorted());
      }),
    );

    it(
      "resumes the branches one at a time, and never runs an answered one again",
      withSaver(subject, async ({ saver, reopen }) => {
        const jobs = ["a", "b", "c"];
        const ran: string[] = [];
        const config = thread();
        let result: unknown = await fanOut(saver, asking(ran)).invoke({ jobs }, config);
        for (const [round, job] of ["b", "c", "a"].entries()) {
          const open = interruptsOf(result);
          expect(open).toHaveLength(3 - round);
          const { id } = open.find((i) => i.value === `${job}?`)!;
          ran.length = 0;
          result = await fanOut(await reopen(), asking(ran)).invoke(
            new Command({ resume: { [id]: round } }),
            config,
          );
          expect(ran.map((name) => `${name}?`).toSorted()).toEqual(open.map((i) => i.value).toSorted());
        }
        expect(result).toEqual({ jobs, done: ["plan", "a=2", "b=0", "c=1", "sum of 4"] });
      }),
    );

    it(
      "keeps what finished branches wrote while another branch waits for an answer",
      withSaver(subject, async ({ saver, reopen }) => {
        const ran: string[] = [];
        const work = (job: string) => {
          ran.push(job);
          return job === "ask" ? `ask=${interrupt<string, string>("?")}` : `${job} done`;
        };
        const config = thread();
        const stopped = await fanOut(saver, work).invoke({ jobs: ["x", "ask", "y"] }, config);
        expect(interruptsOf(stopped)).toHaveLength(1);
        expect(valuesOf(stopped)["done"]).toEqual(["plan", "x done", "y done"]);
        const done = await fanOut(await reopen(), work).invoke(new Command({ resume: "yes" }), config);
        expect(done).toEqual({
          jobs: ["x", "ask", "y"],
          done: ["plan", "x done", "ask=yes", "y done", "sum of 4"],
        });
        expect([...ran].toSorted()).toEqual(["ask", "ask", "x", "y"]);
      }),
    );

    it(
      "joins static branches of different length",
      withSaver(subject, async ({ saver, reopen }) => {
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
        expect(valuesOf(stopped)).toEqual({ done: ["long1", "short"] });
        // The barrier remembers, through the checkpoint, that "short" has arrived.
        const done = await build(await reopen()).invoke(new Command({ resume: "go" }), config);
        expect(done).toEqual({ done: ["long1", "short", "long2 go", "join 3"] });
      }),
    );

    it(
      "takes Sends from a node's Command with its update",
      withSaver(subject, async ({ saver, reopen }) => {
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
        expect(await build(await reopen()).invoke(new Command({ resume }), config)).toEqual({
          done: ["boss", "u=u", "v=v"],
        });
      }),
    );
  });
}
