import { Command, entrypoint, getPreviousState, interrupt, task } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal, identical, rejects } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { thread, collect, interruptsOf } from "./harness.js";
const scenario = inGroup("functional");

function essay(checkpointer: BaseCheckpointSaver, ran: string[] = []) {
  const write = task("write", async (topic: string) => (ran.push(`write ${topic}`), `on ${topic}`));
  const polish = task(
    "polish",
    async (text: string, note: string) => (ran.push("polish"), `${text}, ${note}`),
  );
  return entrypoint({ name: "essay", checkpointer }, async (topic: string) => {
    const draft = await write(topic);
    const note = interrupt<string, string>(`review ${draft}`);
    return { draft, final: await polish(draft, note) };
  });
}

function sums(checkpointer: BaseCheckpointSaver) {
  return entrypoint({ name: "sums", checkpointer }, async (value: number) => {
    const previous = getPreviousState<{ all: number[] }>() ?? { all: [] };
    const all = [...previous.all, value];
    return entrypoint.final({ value: all.reduce((sum, each) => sum + each, 0), save: { all } });
  });
}

const jobs = Array.from({ length: 12 }, (_, index) => index);

export const functionalScenarios: readonly Scenario[] = [
  scenario("previous-result", {
    rule: "A run is given what the previous run returned.",
    why: "Workflows with memory would start from nothing.",
    run: async ({ saver, reopen }) => {
      const build = (checkpointer: BaseCheckpointSaver) =>
        entrypoint({ name: "list", checkpointer }, async (word: string) => [
          ...(getPreviousState<string[]>() ?? []),
          word,
        ]);
      const config = thread();
      equal(await build(saver).invoke("a", config), ["a"]);
      equal(await build(await reopen()).invoke("b", config), ["a", "b"]);
      equal(await build(await reopen()).invoke("c", config), ["a", "b", "c"]);
      equal(await build(await reopen()).invoke("x", thread()), ["x"]);
    },
  }),

  scenario("saves-something-else", {
    rule: "A run saves something other than what it returns.",
    why: "The returned value would be taken for the state.",
    run: async ({ saver, reopen }) => {
      const config = thread();
      identical(await sums(saver).invoke(1, config), 1);
      identical(await sums(await reopen()).invoke(2, config), 3);
      const last = sums(await reopen());
      identical(await last.invoke(4, config), 7);
      const stored = (await collect(saver.list(config, { limit: 1 })))[0]!;
      equal(stored.checkpoint.channel_values["__previous__"], { all: [1, 2, 4] });
    },
  }),

  scenario("finished-tasks", {
    rule: "An interrupt is resumed without running finished tasks again.",
    why: "Paid work would be paid twice.",
    run: async ({ saver, reopen }) => {
      const ran: string[] = [];
      const config = thread();
      const stopped = await essay(saver, ran).invoke("cats", config);
      equal(
        interruptsOf(stopped).map((i) => i.value),
        ["review on cats"],
      );
      equal(ran, ["write cats"]);
      const done = await essay(await reopen(), ran).invoke(new Command({ resume: "nicely" }), config);
      equal(done, { draft: "on cats", final: "on cats, nicely" });
      equal(ran, ["write cats", "polish"]);
    },
  }),

  scenario("parallel-tasks", {
    rule: "The results of parallel tasks are kept for their own callers.",
    why: "Results would be handed to the wrong call.",
    run: async ({ saver, reopen }) => {
      const ran: number[] = [];
      const build = (checkpointer: BaseCheckpointSaver) => {
        const square = task("square", async (value: number) => (ran.push(value), value * value));
        return entrypoint({ name: "squares", checkpointer }, async (values: number[]) => {
          const squares = await Promise.all(values.map((value) => square(value)));
          return { squares, sign: interrupt<string, string>("sign?") };
        });
      };
      const config = thread();
      await build(saver).invoke(jobs, config);
      const done = await build(await reopen()).invoke(new Command({ resume: "me" }), config);
      equal(done, { squares: jobs.map((value) => value * value), sign: "me" });
      equal(
        [...ran].toSorted((a, b) => a - b),
        jobs,
      );
    },
  }),

  scenario("interrupt-in-a-task", {
    rule: "An interrupt inside a task is resumed.",
    why: "The task would be asked for ever.",
    run: async ({ saver, reopen }) => {
      const ran: string[] = [];
      const build = (checkpointer: BaseCheckpointSaver) => {
        const first = task("first", async () => (ran.push("first"), "1"));
        const ask = task(
          "ask",
          async (what: string) => (ran.push(what), `${what}=${interrupt<string, string>(what)}`),
        );
        return entrypoint({ name: "asks", checkpointer }, async () => [
          await first(),
          await ask("a"),
          await ask("b"),
        ]);
      };
      const config = thread();
      equal(
        interruptsOf(await build(saver).invoke("go", config)).map((i) => i.value),
        ["a"],
      );
      const second = await build(await reopen()).invoke(new Command({ resume: "A" }), config);
      equal(
        interruptsOf(second).map((i) => i.value),
        ["b"],
      );
      equal(await build(await reopen()).invoke(new Command({ resume: "B" }), config), ["1", "a=A", "b=B"]);
      equal(ran, ["first", "a", "a", "b", "b"]);
    },
  }),

  scenario("failed-task", {
    rule: "A run goes on after a failed task with what the others returned.",
    why: "One failure would cost the work of all.",
    run: async ({ saver, reopen }) => {
      const ran: string[] = [];
      let broken = true;
      const build = (checkpointer: BaseCheckpointSaver) => {
        const slow = task("slow", async () => (ran.push("slow"), "slow result"));
        const risky = task("risky", async () => {
          ran.push("risky");
          if (broken) throw new Error("risky is broken");
          return "risky result";
        });
        return entrypoint({ name: "mixed", checkpointer }, async () => [await slow(), await risky()]);
      };
      const config = thread();
      await rejects(build(saver).invoke("go", config), "risky is broken");
      broken = false;
      equal(await build(await reopen()).invoke(null, config), ["slow result", "risky result"]);
      equal(ran, ["slow", "risky", "risky"]);
    },
  }),

  scenario("saved-while-waiting", {
    rule: "The saved state is kept while a later run waits.",
    why: "An open question would erase the memory.",
    run: async ({ saver, reopen }) => {
      const build = (checkpointer: BaseCheckpointSaver) =>
        entrypoint({ name: "log", checkpointer }, async (word: string) => [
          ...(getPreviousState<string[]>() ?? []),
          `${word} ${interrupt<string, string>("?")}`,
        ]);
      const config = thread();
      await build(saver).invoke("one", config);
      await build(await reopen()).invoke(new Command({ resume: "1" }), config);
      await build(await reopen()).invoke("two", config);
      equal(await build(await reopen()).invoke(new Command({ resume: "2" }), config), ["one 1", "two 2"]);
    },
  }),
];
