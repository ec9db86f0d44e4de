import { check, containsPart, equal } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { codedRefusal, newId, putOne } from "../calls.js";
import { inGroup } from "../define.js";
import { instant, manager, putChain, threadIds, threadList, write } from "./harness.js";

const scenario = inGroup("listThreads");
const needs = ["listThreads"] as const;

export const listThreadsScenarios: readonly Scenario[] = [
  scenario("each-thread-once", {
    rule: "Every thread with a checkpoint is listed once, by ascending id, whatever its id.",
    why: "Threads would be left out of a clean-up, or be dealt with twice.",
    needs,
    run: async ({ saver }) => {
      const ids = ["t", "t10", "t2", "T", "t:a", "t/b", "%", "t\u00e9", "\u{1f600}"];
      for (const id of ids) await putOne(saver, id);
      await putChain(saver, "t", 3);
      await putChain(saver, "t", 2, { namespace: "n|m" });
      equal(await threadIds(saver), ids.toSorted());
    },
  }),

  scenario("what-it-says", {
    rule: "A thread's info has its namespaces, the number of its checkpoints, its bytes, times, last step and source.",
    why: "Whoever decides what may go would decide by figures of something else.",
    needs,
    run: async ({ saver }) => {
      const start = Date.now();
      await putChain(saver, "t", 3, { metadata: { source: "input" } });
      await putChain(saver, "t", 2, { namespace: "n:1" });
      const between = await instant();
      await putOne(saver, "t", { metadata: { source: "update", step: 7 } });
      const [info, ...others] = await threadList(saver);
      equal(others, []);
      containsPart(info, { threadId: "t", checkpoints: 6, lastStep: 7, lastSource: "update" });
      equal([...info!.namespaces].toSorted(), ["", "n:1"]);
      check(info!.bytes > 0, "the bytes are more than 0");
      const { createdAt, updatedAt } = info!;
      check(createdAt instanceof Date && updatedAt instanceof Date, "the times are Dates");
      check(
        createdAt.getTime() >= start && createdAt.getTime() < between,
        "createdAt is that of the first put",
      );
      check(updatedAt.getTime() >= between, "updatedAt is that of the last put");
    },
  }),

  scenario("only-with-a-checkpoint", {
    rule: "A thread that has writes only, or was deleted, is not listed.",
    why: "A list of threads to go on with would hold some that there is nothing of.",
    needs,
    run: async ({ saver }) => {
      await write(saver, "early", newId(), 1);
      await putOne(saver, "deleted");
      await putOne(saver, "there");
      await saver.deleteThread("deleted");
      equal(await threadIds(saver), ["there"]);
    },
  }),

  scenario("prefix", {
    rule: "`prefix` selects the threads whose ids start with it, letter by letter.",
    why: "Tenants are told apart by a prefix: one would see the threads of another.",
    needs,
    run: async ({ saver }) => {
      for (const id of ["a", "a:1", "a:2", "ab", "A:1", "b:a:1", "a%1", "a_1", "a.1", "a*1"])
        await putOne(saver, id);
      equal(await threadIds(saver, { prefix: "a:" }), ["a:1", "a:2"]);
      equal(await threadIds(saver, { prefix: "a%" }), ["a%1"]);
      equal(await threadIds(saver, { prefix: "a_" }), ["a_1"]);
      equal(await threadIds(saver, { prefix: "a." }), ["a.1"]);
      equal(await threadIds(saver, { prefix: "a*" }), ["a*1"]);
      equal(await threadIds(saver, { prefix: "a:1" }), ["a:1"]);
      equal(await threadIds(saver, { prefix: "c" }), []);
      equal((await threadIds(saver, { prefix: "" })).length, 10);
    },
  }),

  scenario("pages", {
    rule: "`limit` and `after` lead through all threads, each once.",
    why: "A page that starts at the wrong place skips threads or shows them again.",
    needs,
    run: async ({ saver }) => {
      const ids = Array.from({ length: 7 }, (_, at) => `t${at}`);
      for (const id of ids) await putOne(saver, id);
      const found: string[] = [];
      for (let page = await threadIds(saver, { limit: 3 }); page.length > 0;) {
        check(page.length <= 3, "no page has more than the limit");
        found.push(...page);
        check(found.length <= ids.length, "no thread is listed twice");
        page = await threadIds(saver, { limit: 3, after: page.at(-1)! });
      }
      equal(found, ids);
      equal(await threadIds(saver, { limit: 0 }), []);
      equal(await threadIds(saver, { after: "t3x", limit: 1 }), ["t4"]);
      equal(await threadIds(saver, { after: "t1", prefix: "t", limit: 2 }), ["t2", "t3"]);
    },
  }),

  scenario("many", {
    rule: "More threads than fit into a page of the storage are listed to the end.",
    why: "A limit that a backend puts on one answer would pass for the end of the list.",
    needs,
    run: async ({ saver }) => {
      const ids = Array.from({ length: 130 }, (_, at) => `t${String(at).padStart(3, "0")}`);
      for (let at = 0; at < ids.length; at += 13)
        await Promise.all(ids.slice(at, at + 13).map((id) => putOne(saver, id)));
      equal(await threadIds(saver), ids);
      equal((await threadIds(saver, { limit: 115 })).length, 115);
    },
  }),

  scenario("updated-since", {
    rule: "`updatedSince` selects the threads with a checkpoint put at that time or later; `limit` counts those.",
    why: "A sweep over what changed would miss threads, or touch idle ones.",
    needs,
    run: async ({ saver }) => {
      for (const id of ["a", "b", "c"]) await putOne(saver, id);
      const since = await instant();
      await putOne(saver, "b");
      await putOne(saver, "d");
      equal(await threadIds(saver, { updatedSince: since }), ["b", "d"]);
      equal(await threadIds(saver, { updatedSince: new Date(since), limit: 1, after: "b" }), ["d"]);
      equal(await threadIds(saver, { updatedSince: await instant() }), []);
    },
  }),

  scenario("bad-input", {
    rule: "Options that make no sense are refused with a coded error.",
    why: "A negative limit or a bad date would list nothing, or all, without a word.",
    needs,
    run: async ({ saver }) => {
      await putOne(saver, "t");
      const bad: Record<string, unknown>[] = [
        { limit: -1 },
        { limit: Number.NaN },
        { limit: "3" },
        { prefix: 3 },
        { after: {} },
        { updatedSince: "yesterday" },
        { updatedSince: new Date(Number.NaN) },
      ];
      for (const options of bad)
        await codedRefusal(async () => {
          for await (const info of manager(saver).listThreads(options)) return info;
          return undefined;
        });
    },
  }),
];
