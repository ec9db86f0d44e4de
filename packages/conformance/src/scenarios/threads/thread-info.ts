import { check, containsPart, equal } from "../../check.js";
import { NotAvailable } from "../../errors.js";
import type { Scenario } from "../../scenario.js";
import { codedRefusal, listAll, newId, putOne, refusal } from "../calls.js";
import { inGroup } from "../define.js";
import { instant, manager, putChain, threadList, write } from "./harness.js";

const threadInfo = inGroup("threadInfo");
const exists = inGroup("exists");
const stats = inGroup("stats");
const ping = inGroup("ping");

/** What no thread id is. */
const noThreadIds: unknown[] = [undefined, null, {}, ["t"], { $gt: "" }];

export const threadInfoScenarios: readonly Scenario[] = [
  threadInfo("as-in-the-list", {
    rule: "The info of a thread is what the list of threads says of it; an unknown one has none.",
    why: "A dashboard would show one thing in its list and another on the thread's page.",
    needs: ["threadInfo", "listThreads"],
    run: async ({ saver }) => {
      await putChain(saver, "t", 3);
      await putChain(saver, "t", 1, { namespace: "n" });
      await putOne(saver, "t2");
      for (const info of await threadList(saver)) equal(await manager(saver).threadInfo(info.threadId), info);
      equal(await manager(saver).threadInfo("t3"), undefined);
      await write(saver, "t4", newId(), 1);
      equal(await manager(saver).threadInfo("t4"), undefined);
    },
  }),

  threadInfo("follows-what-happens", {
    rule: "The info follows puts and deletions; what is gone no longer counts.",
    why: "Figures kept beside the data drift away from it.",
    needs: ["threadInfo"],
    run: async ({ saver }) => {
      const operations = manager(saver);
      const ids = await putChain(saver, "t", 2, { metadata: { source: "input" } });
      containsPart(await operations.threadInfo("t"), { checkpoints: 2, lastStep: 1, lastSource: "input" });
      const since = await instant();
      await putOne(saver, "t", { namespace: "n", metadata: { step: 5 } });
      const info = await operations.threadInfo("t");
      containsPart(info, { checkpoints: 3, lastStep: 5, lastSource: "loop" });
      check(info!.updatedAt.getTime() >= since, "updatedAt has moved on");
      check(info!.createdAt.getTime() < since, "createdAt has not");
      // The same put once more is one checkpoint.
      await putOne(saver, "t", { id: ids[1]!, parent: ids[0]!, metadata: { step: 1 } });
      containsPart(await operations.threadInfo("t"), { checkpoints: 3 });
      await saver.deleteThread("t");
      equal(await operations.threadInfo("t"), undefined);
    },
  }),

  threadInfo("bad-input", {
    rule: "What is no thread id is refused with a coded error.",
    why: "An undefined id would pass for a thread that is not there.",
    needs: ["threadInfo"],
    run: async ({ saver }) => {
      for (const id of noThreadIds) await codedRefusal(() => manager(saver).threadInfo(id as string));
    },
  }),

  exists("only-with-a-checkpoint", {
    rule: "A thread exists when it has a checkpoint: not by writes alone, not after its deletion, not by another's id.",
    why: "A run would be continued that was never begun, or begun anew over one that is there.",
    needs: ["exists"],
    run: async ({ saver }) => {
      const operations = manager(saver);
      equal(await operations.exists("t"), false);
      await write(saver, "t", newId(), 1);
      equal(await operations.exists("t"), false);
      await putOne(saver, "t", { namespace: "n" });
      equal(await operations.exists("t"), true);
      for (const other of ["", "T", "t:", "t1"]) equal(await operations.exists(other), false);
      await saver.deleteThread("t");
      equal(await operations.exists("t"), false);
      await putOne(saver, "t");
      equal(await operations.exists("t"), true);
    },
  }),

  exists("bad-input", {
    rule: "What is no thread id is refused with a coded error.",
    why: "An undefined id would pass for a thread that is not there.",
    needs: ["exists"],
    run: async ({ saver }) => {
      for (const id of noThreadIds) await codedRefusal(() => manager(saver).exists(id as string));
    },
  }),

  stats("counts-everything", {
    rule: "The counts are those of all threads and namespaces, and follow what is deleted.",
    why: "Limits and bills would be reckoned from wrong figures.",
    needs: ["stats"],
    run: async ({ saver }) => {
      const operations = manager(saver);
      equal(await operations.stats(), { threads: 0, checkpoints: 0, bytes: 0 });
      await putChain(saver, "a", 3);
      await putChain(saver, "a", 2, { namespace: "n" });
      await putChain(saver, "b", 1);
      const full = await operations.stats();
      containsPart(full, { threads: 2, checkpoints: 6 });
      await putOne(saver, "b", { values: { text: "x".repeat(20_000) } });
      check((await operations.stats()).bytes > full.bytes, "bytes grow with what is stored");
      await saver.deleteThread("a");
      containsPart(await operations.stats(), { threads: 1, checkpoints: 2 });
      await saver.deleteThread("b");
      equal(await operations.stats(), { threads: 0, checkpoints: 0, bytes: 0 });
    },
  }),

  ping("answers", {
    rule: "It resolves, before anything is stored and after, and changes nothing.",
    why: "A health check would fail on a saver that is well, or fill its storage.",
    needs: ["ping"],
    run: async ({ saver }) => {
      await manager(saver).ping();
      equal(await listAll(saver, {}), []);
      await putOne(saver, "t");
      const before = await listAll(saver, {});
      for (let time = 0; time < 3; time += 1) await manager(saver).ping();
      equal(await listAll(saver, {}), before);
    },
  }),

  ping("tells-an-outage", {
    rule: "It rejects while the storage is out of reach, and resolves when it is back.",
    why: "A health check that never asks the storage says that all is well.",
    needs: ["ping", "faults"],
    timeoutMs: 60_000,
    run: async ({ saver, faults }) => {
      if (faults?.outage === undefined) throw new NotAvailable("the target's faults have no outage");
      await manager(saver).ping();
      const restore = await faults.outage();
      await refusal(() => manager(saver).ping());
      await restore();
      await manager(saver).ping();
    },
  }),
];
