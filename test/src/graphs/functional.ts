import { Command, entrypoint, getPreviousState, interrupt, task } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import type { SaverUnderTest } from "../saver-under-test.js";
import { collect, interruptsOf, thread, withSaver } from "./harness.js";

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

export function functionalTests(subject: SaverUnderTest): void {
  describe("functional API", () => {
    it(
      "gives a run what the previous run returned",
      withSaver(subject, async ({ saver, reopen }) => {
        const build = (checkpointer: BaseCheckpointSaver) =>
          entrypoint({ name: "list", checkpointer }, async (word: string) => [
            ...(getPreviousState<string[]>() ?? []),
            word,
          ]);
        const config = thread();
        expect(await build(saver).invoke("a", config)).toEqual(["a"]);
        expect(await build(await reopen()).invoke("b", config)).toEqual(["a", "b"]);
        expect(await build(await reopen()).invoke("c", config)).toEqual(["a", "b", "c"]);
        expect(await build(await reopen()).invoke("x", thread())).toEqual(["x"]);
      }),
    );

    it(
      "saves something other than what it returns",
      withSaver(subject, async ({ saver, reopen }) => {
        const config = thread();
        expect(await sums(saver).invoke(1, config)).toBe(1);
        expect(await sums(await reopen()).invoke(2, config)).toBe(3);
        const last = sums(await reopen());
        expect(await last.invoke(4, config)).toBe(7);
        const stored = (await collect(saver.list(config, { limit: 1 })))[0]!;
        expect(stored.checkpoint.channel_values["__previous__"]).toEqual({ all: [1, 2, 4] });
      }),
    );

    it(
      "resumes an interrupt without running finished tasks again",
      withSaver(subject, async ({ saver, reopen }) => {
        const ran: string[] = [];
        const config = thread();
        const stopped = await essay(saver, ran).invoke("cats", config);
        expect(interruptsOf(stopped).map((i) => i.value)).toEqual(["review on cats"]);
        expect(ran).toEqual(["write cats"]);
        const done = await essay(await reopen(), ran).invoke(new Command({ resume: "nicely" }), config);
        expect(done).toEqual({ draft: "on cats", final: "on cats, nicely" });
        expect(ran).toEqual(["write cats", "polish"]);
      }),
    );

    it(
      "keeps the results of parallel tasks for their own callers",
      withSaver(subject, async ({ saver, reopen }) => {
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
        expect(done).toEqual({ squares: jobs.map((value) => value * value), sign: "me" });
        expect([...ran].toSorted((a, b) => a - b)).toEqual(jobs);
      }),
    );

    it(
      "resumes an interrupt inside a task",
      withSaver(subject, async ({ saver, reopen }) => {
        const ran: string[] = [];
        const build = (checkpointer: BaseCheckpointSaver) => {
          const first = task("first", async () => (ran.push("first"), "1"));
          const ask = task(
            "ask",
            async (what: string) => (ran.push(what), `${what}=${interrupt<string, string>(what)}`),
          );
          return entrypoint({ name: "asks", checkpointer }, async (_: string) => [
            await first(),
            await ask("a"),
            await ask("b"),
          ]);
        };
        const config = thread();
        expect(interruptsOf(await build(saver).invoke("go", config)).map((i) => i.value)).toEqual(["a"]);
        const second = await build(await reopen()).invoke(new Command({ resume: "A" }), config);
        expect(interruptsOf(second).map((i) => i.value)).toEqual(["b"]);
        expect(await build(await reopen()).invoke(new Command({ resume: "B" }), config)).toEqual([
          "1",
          "a=A",
          "b=B",
        ]);
        expect(ran).toEqual(["first", "a", "a", "b", "b"]);
      }),
    );

    it(
      "goes on after a failed task with what the others returned",
      withSaver(subject, async ({ saver, reopen }) => {
        const ran: string[] = [];
        let broken = true;
        const build = (checkpointer: BaseCheckpointSaver) => {
          const slow = task("slow", async () => (ran.push("slow"), "slow result"));
          const risky = task("risky", async () => {
            ran.push("risky");
            if (broken) throw new Error("risky is broken");
            return "risky result";
          });
          return entrypoint({ name: "mixed", checkpointer }, async (_: string) => [
            await slow(),
            await risky(),
          ]);
        };
        const config = thread();
        await expect(build(saver).invoke("go", config)).rejects.toThrow("risky is broken");
        broken = false;
        expect(await build(await reopen()).invoke(null, config)).toEqual(["slow result", "risky result"]);
        expect(ran).toEqual(["slow", "risky", "risky"]);
      }),
    );

    it(
      "keeps the saved state while a later run waits",
      withSaver(subject, async ({ saver, reopen }) => {
        const build = (checkpointer: BaseCheckpointSaver) =>
          entrypoint({ name: "log", checkpointer }, async (word: string) => [
            ...(getPreviousState<string[]>() ?? []),
            `${word} ${interrupt<string, string>("?")}`,
          ]);
        const config = thread();
        await build(saver).invoke("one", config);
        await build(await reopen()).invoke(new Command({ resume: "1" }), config);
        await build(await reopen()).invoke("two", config);
        expect(await build(await reopen()).invoke(new Command({ resume: "2" }), config)).toEqual([
          "one 1",
          "two 2",
        ]);
      }),
    );
  });
}
