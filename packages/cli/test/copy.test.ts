import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { MemorySaver, type CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { InMemorySaver } from "@langgraph-savers/core";
import { checkpoint, idOf } from "@langgraph-savers/test/checkpoints";
import { describe, expect, it } from "vitest";

import { json, langgraphSavers } from "./support/command.js";
import { putStep, putThread, tuplesOf } from "./support/histories.js";
import { newStore, opened, scratch } from "./support/stores.js";

const folder = scratch();

async function filled(...threads: string[]): Promise<string> {
  const url = newStore("file", folder);
  await opened(url, async (_, saver) => {
    for (const id of threads) await putThread(saver, id);
  });
  return url;
}

/** A module that exports a saver of this process, for tests that want to look at it. */
function moduleWith(saver: object): string {
  const name = `saver_${Math.random().toString(36).slice(2)}`;
  // The command closes what it opened; this one is used again.
  Object.assign(globalThis, { [name]: Object.assign(saver, { close: async () => {} }) });
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, `export default () => globalThis.${name};`);
  return path;
}

const pathOf = (url: string) => url.slice("file:".length);

describe("a dry run", () => {
  it("tells what would be copied, and creates nothing", async () => {
    const source = await filled("a", "b");
    for (const kind of ["file", "mongodb", "dynamodb"] as const) {
      const target = newStore(kind, folder);
      const { code, out } = await langgraphSavers(["copy", source, target, "--dry-run"]);
      expect({ code, out }).toEqual({
        code: 0,
        out: expect.stringMatching(/^✓ Would copy 2 threads: 6 checkpoints, 24 writes, /),
      });
      expect((await langgraphSavers(["threads", target])).err).toContain("There is no");
    }
  });

  it("tells what is there already, and what stands in the way", async () => {
    const source = await filled("a", "b", "c");
    const target = await filled("a", "b");
    await opened(target, (_, saver) => putStep(saver, "b", 9, { parent: 2 }));
    const before = readFileSync(join(pathOf(target), "format.json"), "utf8");
    expect(await json(["copy", source, target, "--dry-run"])).toMatchObject({
      copied: 1,
      same: 1,
      problems: [{ threadId: "b", problem: expect.stringContaining("that the source has not") }],
    });
    await opened(target, async (_, saver) => expect(await tuplesOf(saver, "c")).toEqual([]));
    expect(readFileSync(join(pathOf(target), "format.json"), "utf8")).toBe(before);
  });
});

describe("a target that has something already", () => {
  it("keeps what is of its own: such a thread is left alone, unless told to merge", async () => {
    const source = await filled("a", "b");
    const target = newStore("file", folder);
    await opened(target, (_, saver) => putStep(saver, "a", 7));
    const { code, out } = await langgraphSavers(["copy", source, target]);
    expect(code).toBe(1);
    expect(out).toMatch(/✗ a: the target has 1 checkpoint of this thread that the source has not/);
    expect(out).toContain("Copied 1 thread ");
    await opened(target, async (_, saver) => expect(await tuplesOf(saver, "a")).toHaveLength(1));
    expect(await json(["copy", source, target, "--merge"])).toMatchObject({
      copied: 1,
      same: 1,
      problems: [],
    });
    await opened(target, async (_, saver) => expect(await tuplesOf(saver, "a")).toHaveLength(4));
  });

  it("gets what has come to the source since", async () => {
    const source = await filled("a", "b");
    const target = newStore("file", folder);
    await json(["copy", source, target]);
    await opened(source, (_, saver) => putStep(saver, "b", 3, { parent: 2 }));
    expect(await json(["copy", source, target])).toMatchObject({ copied: 1, same: 1, problems: [] });
    await opened(source, (_, from) =>
      opened(target, async (__, to) => expect(await tuplesOf(to, "b")).toEqual(await tuplesOf(from, "b"))),
    );
  });

  it("gets what an interrupted copy left out of a thread: values, parents and writes", async () => {
    const source = await filled("a");
    const target = newStore("file", folder);
    // The second checkpoint is there without its writes, the third one not at all.
    await opened(source, (_, from) =>
      opened(target, async (__, to) => {
        for (const { checkpoint: state, metadata } of (await tuplesOf(from, "a")).slice(0, 2)) {
          const at = { configurable: { thread_id: "a", checkpoint_ns: "" } };
          await to.put(at, state, metadata!, state.channel_versions);
        }
      }),
    );
    expect(await json(["copy", source, target])).toMatchObject({ copied: 1, problems: [] });
    await opened(source, (_, from) =>
      opened(target, async (__, to) => expect(await tuplesOf(to, "a")).toEqual(await tuplesOf(from, "a"))),
    );
  });
});

describe("the threads that are copied", () => {
  it("are those that are named, or whose id begins as asked", async () => {
    const source = await filled("a1", "a2", "b");
    const target = newStore("file", folder);
    expect(await json(["copy", source, target, "b"])).toMatchObject({ copied: 1 });
    expect(await json(["copy", source, target, "--prefix", "a"])).toMatchObject({ copied: 2 });
    expect(await langgraphSavers(["copy", source, target, "b", "--prefix", "a"])).toMatchObject({ code: 2 });
    expect(await langgraphSavers(["copy", source, target, "nobody"])).toMatchObject({
      code: 1,
      out: expect.stringContaining('There is no thread "nobody"'),
    });
  });

  it("keep the positions of their writes and the paths of their tasks", async () => {
    const from = new InMemorySaver();
    const at = { configurable: { thread_id: "t", checkpoint_ns: "", checkpoint_id: idOf(0) } };
    await putStep(from, "t", 0);
    await from.putWrites(at, [["x", 1]], "task z", "~0");
    const target = newStore("file", folder);
    expect(await json(["copy", moduleWith(from), target])).toMatchObject({ copied: 1, problems: [] });
    const places = (tuple: CheckpointTuple | undefined, saver: InMemorySaver) => saver.taskWrites(tuple!);
    const before = places(await from.getTuple(at), from);
    expect(before.map(({ taskId }) => taskId)).toEqual(["task a", "task b", "task z"]);
    expect(before.at(-1)).toMatchObject({ taskPath: "~0" });
    await opened(target, async (store, saver) => {
      expect(await store.taskWrites!((await saver.getTuple(at))!)).toEqual(before);
    });
  });

  it("keep the runs that they came from", async () => {
    const from = new InMemorySaver();
    const at = { configurable: { thread_id: "t" }, metadata: { run_id: "run 1" } };
    await from.put(at, checkpoint(idOf(0), { a: 1 }), { source: "loop", step: 0, parents: {} }, { a: 1 });
    await putStep(from, "t", 1, { parent: 0 });
    const to = new InMemorySaver();
    expect(await json(["copy", moduleWith(from), moduleWith(to)])).toMatchObject({ copied: 1, problems: [] });
    expect(await to.deleteForRuns(["run 1"])).toMatchObject({ checkpoints: 1 });
  });

  it("may be larger than what is held in memory at once", async () => {
    const from = new InMemorySaver();
    const noise = "x".repeat(6 * 1024 * 1024);
    for (let at = 0; at < 6; at++) await putStep(from, "large", at, { values: { noise: `${at}${noise}` } });
    const target = newStore("file", folder);
    expect(await json(["copy", moduleWith(from), target])).toMatchObject({ checkpoints: 6, problems: [] });
  });

  it("may come from and go to any saver, such as LangGraph's own in a module", async () => {
    const source = await filled("a");
    const memory = new MemorySaver();
    expect(await json(["copy", source, moduleWith(memory)])).toMatchObject({ copied: 1, problems: [] });
    const target = newStore("file", folder);
    expect(await json(["copy", moduleWith(memory), target])).toMatchObject({ copied: 1, problems: [] });
    await opened(source, (_, from) =>
      opened(target, async (__, to) => expect(await tuplesOf(to, "a")).toEqual(await tuplesOf(from, "a"))),
    );
  });

  it("of the format before version 4 are the same, also where only one of two savers fills in pending sends", async () => {
    const from = new MemorySaver();
    const at = { configurable: { thread_id: "old", checkpoint_ns: "" } };
    const first = await from.put(
      at,
      { ...checkpoint(idOf(0), { a: 1 }), v: 3 },
      { source: "input", step: -1, parents: {} },
    );
    await from.putWrites(first, [["__pregel_tasks", { node: "x", args: 1 }]], "task");
    await from.put(
      first,
      { ...checkpoint(idOf(1), { a: 1 }), v: 3 },
      { source: "loop", step: 0, parents: {} },
    );
    const target = newStore("official-mongodb", folder);
    expect(await json(["copy", moduleWith(from), target])).toMatchObject({ copied: 1, problems: [] });
  });
});

describe("what goes wrong", () => {
  /** Loses one channel of one checkpoint, and the writes of another. */
  class Lossy extends InMemorySaver {
    override async put(...[config, state, ...rest]: Parameters<InMemorySaver["put"]>) {
      const { note: _, ...values } = state.channel_values;
      return super.put(config, { ...state, channel_values: values }, ...rest);
    }
    override async putWrites(...[config, ...rest]: Parameters<InMemorySaver["putWrites"]>) {
      if (config.configurable?.["checkpoint_id"] !== idOf(0)) await super.putWrites(config, ...rest);
    }
  }

  it("on the way is found by reading back, and told in words", async () => {
    const source = await filled("a");
    const { code, out } = await langgraphSavers(["copy", source, moduleWith(new Lossy())]);
    expect(code).toBe(1);
    expect(out).toContain(`checkpoint ${idOf(2)} differs in channel "note"`);
    expect(out).toContain(`checkpoint ${idOf(0)} differs in writes of task task a, writes of task task b`);
    expect(out).toContain("1 thread is not as in the source");
  });

  it("with one thread does not keep the others from being copied", async () => {
    class Damaged extends InMemorySaver {
      override async *list(...args: Parameters<InMemorySaver["list"]>) {
        if (args[0].configurable?.["thread_id"] === "b") throw new Error("a bad sector");
        yield* super.list(...args);
      }
    }
    const from = new Damaged();
    for (const id of ["a", "b", "c"]) await putThread(from, id);
    const target = newStore("file", folder);
    expect(await json(["copy", moduleWith(from), target])).toMatchObject({
      copied: 2,
      problems: [{ threadId: "b", problem: "a bad sector" }],
    });
  });

  it("with every thread ends the copy", async () => {
    class Away extends InMemorySaver {
      override async put(): Promise<never> {
        throw new Error("the server is away");
      }
    }
    const source = await filled(...Array.from({ length: 9 }, (_, at) => `t${at}`));
    expect(await langgraphSavers(["copy", source, moduleWith(new Away()), "-c", "1"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("the server is away"),
    });
  });
});

describe("an interrupted copy", () => {
  /** Ends as Ctrl-C does, when the target has taken some checkpoints. */
  function interruptedAfter(puts: number): { target: InMemorySaver; signal: AbortSignal } {
    const controller = new AbortController();
    class Counting extends InMemorySaver {
      override async put(...args: Parameters<InMemorySaver["put"]>) {
        if (--puts === 0) controller.abort();
        return super.put(...args);
      }
    }
    return { target: new Counting(), signal: controller.signal };
  }

  const threads = Array.from({ length: 8 }, (_, at) => `t${at}`);

  it("goes on after the threads that were done, and forgets of them when all is", async () => {
    const source = await filled(...threads);
    const { target, signal } = interruptedAfter(10);
    const env = { XDG_STATE_HOME: join(folder, "state") };
    const url = moduleWith(target);
    const first = await langgraphSavers(["copy", source, url, "-c", "1"], { env, signal });
    expect(first).toMatchObject({ code: 130, out: expect.stringContaining("run the same command again") });
    const second = await langgraphSavers(["copy", source, url, "-c", "1"], { env });
    expect(second.err).toContain("Going on after 3 threads of an interrupted copy.");
    expect(second.out).toContain("3 threads were done before the interruption.");
    expect(second.out).toContain("Copied 5 threads");
    const third = await json<object>(["copy", source, url], { env });
    expect(third).toMatchObject({ copied: 0, same: 8, resumed: 0 });
  });

  it("looks again at threads that have changed since, and at a target that was emptied", async () => {
    const source = await filled(...threads);
    const { target, signal } = interruptedAfter(10);
    const url = moduleWith(target);
    const journal = join(folder, "changed.journal");
    const copy = ["copy", source, url, "-c", "1", "--journal", journal];
    await langgraphSavers(copy, { signal });
    await opened(source, (_, saver) => putStep(saver, "t0", 5, { parent: 2 }));
    await target.deleteThread("t1");
    expect(await json(copy)).toMatchObject({ resumed: 1, copied: 7, problems: [] });
    for (const id of ["t0", "t1"])
      await opened(source, async (_, from) =>
        expect(await tuplesOf(target, id)).toEqual(await tuplesOf(from, id)),
      );
  });

  it("starts anew when told so, or when the journal is not its own", async () => {
    const source = await filled(...threads);
    const { target, signal } = interruptedAfter(10);
    const url = moduleWith(target);
    const journal = join(folder, "other.journal");
    await langgraphSavers(["copy", source, url, "-c", "1", "--journal", journal], { signal });
    expect(existsSync(journal)).toBe(true);
    const other = await filled("x");
    expect(await langgraphSavers(["copy", other, url, "--journal", journal])).toMatchObject({
      code: 2,
      err: expect.stringContaining("is not the journal of this copy"),
    });
    expect(await json(["copy", source, url, "--restart", "--journal", journal])).toMatchObject({
      resumed: 0,
      same: 3,
    });
    rmSync(journal, { force: true });
  });
});

describe("progress", () => {
  it("is a bar with count, rate and time left for a person, and nothing of it in the result", async () => {
    const source = await filled(...Array.from({ length: 12 }, (_, at) => `t${at}`));
    const target = newStore("file", folder);
    const { out, err } = await langgraphSavers(["copy", source, target], { tty: true, columns: 80 });
    expect(err).toMatch(/█+░* 12 of 12 threads/);
    expect(err.endsWith("\r\u001b[K")).toBe(true);
    expect(out).not.toContain("█");
  });
});
