import { INTERRUPT, type BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { check, containsPart, equal } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import type { PrunePolicy } from "../../thread-operations.js";
import { configOf, listAll, noise, putOne, sameWrites, valuesOf, writesOf } from "../calls.js";
import { inGroup } from "../define.js";
import {
  chainValues,
  everythingOf,
  idOf,
  instant,
  manager,
  putChain,
  refusedUnchanged,
  write,
} from "./harness.js";

const scenario = inGroup("prune");
const needs = ["prune"] as const;

async function idsOf(saver: BaseCheckpointSaver, thread: string): Promise<string[]> {
  return (await everythingOf(saver, thread)).map(idOf);
}

export const pruneScenarios: readonly Scenario[] = [
  scenario("keep-latest", {
    rule: 'Strategy "keep_latest" keeps the newest checkpoint of each thread that is named, whole.',
    why: "The thread would be gone, or keep what should go.",
    needs,
    run: async ({ saver }) => {
      const first = await putChain(saver, "a", 4);
      const second = await putChain(saver, "b", 2);
      containsPart(await manager(saver).prune(["a", "b"], { strategy: "keep_latest" }), {
        deleted: 4,
        kept: 2,
      });
      equal(await idsOf(saver, "a"), [first[3]]);
      equal(await idsOf(saver, "b"), [second[1]]);
      equal(await valuesOf(saver, "a"), chainValues("a", 3));
    },
  }),

  scenario("keep-last", {
    rule: "`keepLast` keeps that many of the newest ones; where there are fewer, all of them.",
    why: "One step too few to go back to, or none at all.",
    needs,
    run: async ({ saver }) => {
      const ids = await putChain(saver, "t", 5);
      const short = await putChain(saver, "t2", 2);
      await manager(saver).prune(["t", "t2"], { keepLast: 3 });
      equal(await idsOf(saver, "t"), ids.slice(2).toReversed());
      equal(await idsOf(saver, "t2"), short.toReversed());
    },
  }),

  scenario("newest-by-id", {
    rule: "The newest are those with the greatest ids, not those put last.",
    why: "What LangGraph goes on from would be deleted.",
    needs,
    run: async ({ saver }) => {
      const ids = await putChain(saver, "t", 3);
      await putOne(saver, "t", { id: ids[0]!, values: { again: 1 } });
      await manager(saver).prune(["t"], { strategy: "keep_latest" });
      equal(await idsOf(saver, "t"), [ids[2]]);
    },
  }),

  scenario("each-namespace", {
    rule: "Every namespace keeps its own newest ones.",
    why: "Subgraphs would lose their state because their graph has newer checkpoints.",
    needs,
    run: async ({ saver }) => {
      const inner = await putChain(saver, "t", 3, { namespace: "n:1" });
      const deep = await putChain(saver, "t", 1, { namespace: "n:1|m:2" });
      const root = await putChain(saver, "t", 3);
      await manager(saver).prune(["t"], { strategy: "keep_latest" });
      equal(await idsOf(saver, "t"), [root[2], deep[0], inner[2]]);
    },
  }),

  scenario("writes-stay", {
    rule: "What stays keeps its writes; those of what goes are gone.",
    why: "Finished tasks would run again after a clean-up.",
    needs,
    run: async ({ saver }) => {
      const ids = await putChain(saver, "t", 3);
      for (const id of ids) await write(saver, "t", id, id);
      await manager(saver).prune(["t"], { strategy: "keep_latest" });
      sameWrites(await writesOf(saver, "t", ids[2]!), [["task", "a", ids[2]]]);
      await putOne(saver, "t", { id: ids[0]! });
      equal(await writesOf(saver, "t", ids[0]!), []);
    },
  }),

  scenario("values-of-ancestors", {
    rule: "What stays keeps every value, also those that only deleted ancestors had set.",
    why: "A channel that changes seldom would be lost by the first clean-up.",
    needs,
    run: async ({ saver, reopen }) => {
      const rare = noise(50_000);
      let parent = await putOne(saver, "t", { values: { rare, n: 0 }, versions: { rare: 1, n: 1 } });
      for (let n = 1; n < 6; n += 1)
        parent = await putOne(saver, "t", {
          parent,
          values: { rare, n },
          versions: { rare: 1, n: n + 1 },
          changed: ["n"],
        });
      await manager(saver).prune(["t"], { keepLast: 2 });
      equal(await valuesOf(saver, "t"), { rare, n: 5 });
      const again = await reopen();
      equal(await valuesOf(again, "t"), { rare, n: 5 });
      const next = await putOne(again, "t", {
        parent,
        values: { rare, n: 6 },
        versions: { rare: 1, n: 7 },
        changed: ["n"],
      });
      equal(await valuesOf(await reopen(), "t", next), { rare, n: 6 });
    },
  }),

  scenario("delete", {
    rule: 'Strategy "delete" deletes the threads that are named, all of them, and they can be used again.',
    why: "A part of what must go would stay.",
    needs,
    run: async ({ saver }) => {
      await putChain(saver, "t", 3);
      const [id] = await putChain(saver, "t", 2, { namespace: "n" });
      await write(saver, "t", id!, 1, { namespace: "n" });
      const kept = await putChain(saver, "t2", 2);
      containsPart(await manager(saver).prune(["t"], { strategy: "delete" }), { deleted: 5, kept: 0 });
      equal((await listAll(saver, {})).map(idOf), kept.toReversed());
      const [again] = await putChain(saver, "t", 1);
      equal(await idsOf(saver, "t"), [again]);
    },
  }),

  scenario("other-threads", {
    rule: "Threads that are not named stay as they are, also those whose ids start with a named one's.",
    why: "A clean-up of one customer's thread would take another's.",
    needs,
    run: async ({ saver }) => {
      await putChain(saver, "t", 3);
      for (const other of ["t2", "t:a", "T", "%"]) await putChain(saver, other, 2);
      const others = async () =>
        (await listAll(saver, {})).filter(({ config }) => config.configurable?.["thread_id"] !== "t");
      const before = await others();
      await manager(saver).prune(["t"], { strategy: "keep_latest" });
      equal(await others(), before);
      await manager(saver).prune(["t"], { strategy: "delete" });
      equal(await others(), before);
    },
  }),

  scenario("nothing-to-prune", {
    rule: "No threads, and threads that are not there, are no error and are not reported; twice is once.",
    why: "A sweep would stop at a thread that somebody else has deleted.",
    needs,
    run: async ({ saver }) => {
      const nothing = { deleted: 0, kept: 0, threads: [] };
      const operations = manager(saver);
      containsPart(await operations.prune([], { strategy: "keep_latest" }), nothing);
      containsPart(await operations.prune(["none"], { strategy: "keep_latest" }), nothing);
      containsPart(await operations.prune(["none"], { strategy: "delete" }), nothing);
      await putChain(saver, "t", 3);
      containsPart(await operations.prune(["none", "t", "t"], { keepLast: 1 }), { deleted: 2, kept: 1 });
      containsPart(await operations.prune(["t"], { keepLast: 1 }), { deleted: 0, kept: 1 });
    },
  }),

  scenario("all", {
    rule: '"all" prunes every thread, more than fit into a page of the storage too.',
    why: "A sweep would pass over threads without a word.",
    needs,
    run: async ({ saver }) => {
      const names = Array.from({ length: 120 }, (_, at) => `t${at}`);
      for (let at = 0; at < names.length; at += 12)
        await Promise.all(names.slice(at, at + 12).map((name) => putChain(saver, name, 2)));
      const report = await manager(saver).prune("all", { keepLast: 1 });
      containsPart(report, { deleted: 120, kept: 120 });
      equal(report.threads.map(({ threadId }) => threadId).toSorted(), names.toSorted());
      equal((await listAll(saver, {})).length, 120);
    },
  }),

  scenario("older-than", {
    rule: "`olderThan` lets go only what was put before that time, and never the newest.",
    why: "Yesterday's steps would go with last year's, or an idle thread would be emptied.",
    needs,
    run: async ({ saver }) => {
      const ids = await putChain(saver, "t", 3);
      const idle = await putChain(saver, "idle", 2);
      const time = await instant();
      ids.push(...(await putChain(saver, "t", 2, { from: 3 })));
      containsPart(await manager(saver).prune("all", { olderThan: 3_600_000 }), { deleted: 0, kept: 7 });
      await manager(saver).prune("all", { olderThan: new Date(time) });
      equal(await idsOf(saver, "t"), ids.slice(3).toReversed());
      equal(await idsOf(saver, "idle"), [idle[1]]);
      await instant();
      await manager(saver).prune(["t"], { olderThan: 0 });
      equal(await idsOf(saver, "t"), [ids[4]]);
    },
  }),

  scenario("older-than-and-keep-last", {
    rule: "With both, what either of them keeps stays.",
    why: "The promise to keep the last steps would not hold for old threads.",
    needs,
    run: async ({ saver }) => {
      const ids = await putChain(saver, "t", 5);
      await instant();
      await manager(saver).prune(["t"], { keepLast: 2, olderThan: 0 });
      equal(await idsOf(saver, "t"), ids.slice(3).toReversed());
      await manager(saver).prune(["t"], { keepLast: 1, olderThan: 3_600_000 });
      equal(await idsOf(saver, "t"), ids.slice(3).toReversed());
    },
  }),

  scenario("idle-threads", {
    rule: 'Strategy "delete" with `olderThan` deletes the threads whose last checkpoint is older, and leaves the others whole.',
    why: "A conversation in use would lose its past, or abandoned ones would stay for ever.",
    needs,
    run: async ({ saver }) => {
      await putChain(saver, "idle", 2);
      const active = await putChain(saver, "active", 2);
      const time = await instant();
      active.push(...(await putChain(saver, "active", 1, { from: 2 })));
      await manager(saver).prune("all", { strategy: "delete", olderThan: new Date(time) });
      equal(await idsOf(saver, "idle"), []);
      equal(await idsOf(saver, "active"), active.toReversed());
    },
  }),

  scenario("interrupted", {
    rule: "A checkpoint that waits for an answer, and that no other goes on from, stays unless `keepInterrupted` is false.",
    why: "A question that somebody is still thinking about could no longer be answered.",
    needs,
    run: async ({ saver }) => {
      const [start, waiting] = await putChain(saver, "t", 2);
      await saver.putWrites(configOf("t", waiting), [[INTERRUPT, { value: "may I?" }]], "task");
      const branch = await putOne(saver, "t", { parent: start!, values: { step: 9 } });
      await manager(saver).prune(["t"], { keepLast: 1 });
      equal(await idsOf(saver, "t"), [branch, waiting]);
      equal((await writesOf(saver, "t", waiting!)).length, 1);
      await manager(saver).prune(["t"], { keepLast: 1, keepInterrupted: false });
      equal(await idsOf(saver, "t"), [branch]);
    },
  }),

  scenario("dry-run", {
    rule: "`dryRun` changes nothing, and reports what a real run then does.",
    why: "Nobody could look before they leap.",
    needs,
    run: async ({ saver }) => {
      await putChain(saver, "a", 4);
      await putChain(saver, "b", 2, { namespace: "n" });
      const before = await listAll(saver, {});
      for (const policy of [{ keepLast: 1 }, { strategy: "delete" }] as PrunePolicy[]) {
        const dry = await manager(saver).prune("all", { ...policy, dryRun: true });
        equal(await listAll(saver, {}), before);
        check(dry.deleted > 0, "the report says what would go");
      }
      const dry = await manager(saver).prune("all", { keepLast: 1, dryRun: true });
      const real = await manager(saver).prune("all", { keepLast: 1 });
      equal(told(real), told(dry));
    },
  }),

  scenario("report", {
    rule: "The report names, for each thread, what went and what stayed, and why; the sums are those of the threads.",
    why: "Nobody could account for what a clean-up has deleted.",
    needs,
    run: async ({ saver }) => {
      const root = await putChain(saver, "a", 3);
      const inner = await putChain(saver, "a", 2, { namespace: "n" });
      await putChain(saver, "b", 1);
      const report = await manager(saver).prune(["a", "b"], { keepLast: 1 });
      const place = (checkpointNs: string, checkpointId: string) => `${checkpointNs} ${checkpointId}`;
      const { deleted, kept, bytes } = report.threads.find(({ threadId }) => threadId === "a")!;
      equal(
        deleted.map((each) => place(each.checkpointNs, each.checkpointId)).toSorted(),
        [place("", root[0]!), place("", root[1]!), place("n", inner[0]!)].toSorted(),
      );
      equal(
        kept.map((each) => place(each.checkpointNs, each.checkpointId)).toSorted(),
        [place("", root[2]!), place("n", inner[1]!)].toSorted(),
      );
      for (const { reasons } of kept)
        check(reasons.length > 0 && reasons.every((each) => typeof each === "string"), "reasons in words");
      check(bytes > 0, "the bytes that went are more than 0");
      const sum = (count: (thread: (typeof report.threads)[number]) => number) =>
        report.threads.reduce((total, each) => total + count(each), 0);
      equal(
        [report.deleted, report.kept, report.bytes],
        [sum((each) => each.deleted.length), sum((each) => each.kept.length), sum((each) => each.bytes)],
      );
      equal(await idsOf(saver, "a"), [inner[1], root[2]]);
    },
  }),

  scenario("long-history", {
    rule: "A history longer than a page of the storage is pruned to the end.",
    why: "A limit that a backend puts on one answer would leave the oldest part behind.",
    needs,
    timeoutMs: 60_000,
    run: async ({ saver }) => {
      const ids = await putChain(saver, "t", 230);
      containsPart(await manager(saver).prune(["t"], { keepLast: 5 }), { deleted: 225, kept: 5 });
      equal(await idsOf(saver, "t"), ids.slice(-5).toReversed());
    },
  }),

  scenario("bad-input", {
    rule: "A policy that would keep nothing, contradicts itself or says nothing is refused with a coded error; nothing changes.",
    why: "A misspelt option, or a 0 from a configuration file, would empty every thread.",
    needs,
    run: async ({ saver }) => {
      await putChain(saver, "t", 3);
      const bad: unknown[] = [
        undefined,
        null,
        {},
        { dryRun: true },
        { keepLast: 0 },
        { keepLast: -1 },
        { keepLast: 1.5 },
        { keepLast: "1" },
        { keepLast: Number.NaN },
        { keepLast: 1, strategy: "keep_latest" },
        { keepLast: 1, strategy: "delete" },
        { strategy: "keep_all" },
        { olderThan: -1 },
        { olderThan: Number.NaN },
        { olderThan: "1d" },
        { olderThan: new Date(Number.NaN) },
      ];
      for (const policy of bad)
        await refusedUnchanged(saver, () => manager(saver).prune(["t"], policy as PrunePolicy));
      for (const threads of [undefined, "t", "ALL", [undefined], [7], [{ $gt: "" }]] as unknown as string[][])
        await refusedUnchanged(saver, () => manager(saver).prune(threads, { strategy: "delete" }));
    },
  }),
];

/** Of a report, what a dry run knows as well. */
function told(report: Awaited<ReturnType<ReturnType<typeof manager>["prune"]>>): unknown {
  const threads = report.threads.map(({ threadId, deleted, kept }) => ({ threadId, deleted, kept }));
  return { deleted: report.deleted, kept: report.kept, threads };
}
