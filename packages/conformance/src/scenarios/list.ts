import { equal, identical } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { newId, configOf, threeKeys, putOne, getOne, listAll, listIds, sameIds } from "./calls.js";
const scenario = inGroup("list");

const everyNamespace = { configurable: { thread_id: "t" } };

export const listScenarios: readonly Scenario[] = [
  scenario("newest-first", {
    rule: "list is newest first by checkpoint_id, not by time of writing.",
    why: "getStateHistory would show steps in an order in which they never happened.",
    run: async ({ saver }) => {
      const ids = Array.from({ length: 6 }, newId);
      for (const at of [3, 0, 5, 2, 4, 1]) await putOne(saver, "t", { id: ids[at]! });
      equal(await listIds(saver, configOf("t")), ids.toReversed());
    },
  }),

  scenario("across-namespaces-and-threads", {
    rule: "Newest first holds across namespaces and threads too.",
    why: "A limit would cut off the newest checkpoints of some threads and keep old ones of others.",
    run: async ({ saver }) => {
      const ids: string[] = [];
      for (let at = 0; at < 12; at += 1) {
        ids.push(await putOne(saver, ["u", "t", "s"][at % 3]!, { namespace: ["", "n", "a", "z"][at % 4]! }));
      }
      equal(await listIds(saver, {}), ids.toReversed());
      equal(await listIds(saver, everyNamespace), ids.filter((_, at) => at % 3 === 1).toReversed());
      equal(await listIds(saver, {}, { limit: 5 }), ids.toReversed().slice(0, 5));
      equal(
        await listIds(saver, { configurable: { checkpoint_ns: "n" } }),
        ids.filter((_, at) => at % 4 === 1).toReversed(),
      );
    },
  }),

  scenario("by-code-unit", {
    rule: "Order is by code unit, and before follows the same order.",
    why: "A database's collation would make pages overlap or skip checkpoints.",
    run: async ({ saver }) => {
      for (const id of ["a", "B", "10", "9", "_", "Z"]) await putOne(saver, "t", { id });
      equal(await listIds(saver, configOf("t")), ["a", "_", "Z", "B", "9", "10"]);
      equal(await listIds(saver, configOf("t"), { before: configOf("t", "Z") }), ["B", "9", "10"]);
      equal(await listIds(saver, configOf("t"), { before: configOf("t", "a") }), ["_", "Z", "B", "9", "10"]);
    },
  }),

  scenario("unknown-is-empty", {
    rule: "Unknown thread or namespace: nothing.",
    why: "A new thread would be shown another one's history.",
    run: async ({ saver }) => {
      await putOne(saver, "t");
      equal(await listIds(saver, configOf("u")), []);
      equal(await listIds(saver, configOf("t", undefined, "n")), []);
    },
  }),

  scenario("empty-saver", {
    rule: "A saver with no data lists nothing.",
    why: "The first look at a fresh installation would fail.",
    run: async ({ saver }) => {
      equal(await listIds(saver, {}), []);
    },
  }),

  scenario("limit-zero", {
    rule: "limit 0 yields nothing.",
    why: "A falsy check takes 0 for no limit: a page of nothing would read the whole database.",
    run: async ({ saver }) => {
      await putOne(saver, "t");
      equal(await listIds(saver, configOf("t"), { limit: 0 }), []);
      equal(await listIds(saver, {}, { limit: 0 }), []);
    },
  }),

  scenario("limit-is-upper-bound", {
    rule: "limit is an upper bound, not a demand.",
    why: "The last page of a history would fail or repeat itself.",
    run: async ({ saver }) => {
      const ids = [await putOne(saver, "t"), await putOne(saver, "t"), await putOne(saver, "t")].toReversed();
      for (const limit of [1, 2, 3, 4, 1000])
        equal(await listIds(saver, configOf("t"), { limit }), ids.slice(0, limit));
    },
  }),

  scenario("limit-after-filter", {
    rule: "limit counts matches, after the filter and before.",
    why: "Looking for the last two inputs among many steps would find fewer than there are.",
    run: async ({ saver }) => {
      const ids: string[] = [];
      for (let step = 0; step < 30; step += 1)
        ids.push(await putOne(saver, "t", { metadata: { step, rare: step % 10 === 0 } }));
      equal(await listIds(saver, configOf("t"), { limit: 2, filter: { rare: true } }), [ids[20], ids[10]]);
      equal(
        await listIds(saver, configOf("t"), {
          limit: 2,
          filter: { rare: true },
          before: configOf("t", ids[20]),
        }),
        [ids[10], ids[0]],
      );
    },
  }),

  scenario("id-selects-one", {
    rule: "config.checkpoint_id selects that one.",
    why: "A config of a state passed to list would return the whole history.",
    run: async ({ saver }) => {
      const [first, second] = [newId(), newId()];
      for (const namespace of ["", "n"])
        for (const id of [first, second]) await putOne(saver, "t", { id, namespace });
      equal(
        (await listAll(saver, configOf("t", first))).map((each) => each.config),
        [threeKeys("t", first)],
      );
      const everywhere = await listAll(saver, { configurable: { thread_id: "t", checkpoint_id: first } });
      equal(everywhere.map((each) => String(each.config.configurable?.["checkpoint_ns"])).toSorted(), [
        "",
        "n",
      ]);
      equal(
        everywhere.map((each) => each.checkpoint.id),
        [first, first],
      );
      equal(await listIds(saver, configOf("t", newId())), []);
      equal(await listIds(saver, configOf("t", first), { before: configOf("t", first) }), []);
      equal(await listIds(saver, configOf("t", first), { before: configOf("t", second) }), [first]);
    },
  }),

  scenario("before-compares-ids", {
    rule: "before compares ids only: its id may be of another namespace or thread.",
    why: "Paging by a config that came from a subgraph would start from the wrong place, or return nothing.",
    run: async ({ saver }) => {
      const first = await putOne(saver, "t");
      const foreign = await putOne(saver, "t", { namespace: "n" });
      const second = await putOne(saver, "t");
      const elsewhere = await putOne(saver, "u");
      const third = await putOne(saver, "t");
      equal(await listIds(saver, configOf("t"), { before: configOf("t", foreign, "n") }), [first]);
      equal(await listIds(saver, configOf("t"), { before: { configurable: { checkpoint_id: elsewhere } } }), [
        second,
        first,
      ]);
      equal(await listIds(saver, configOf("t"), { before: configOf("u", elsewhere) }), [second, first]);
      sameIds(await listIds(saver, everyNamespace, { before: configOf("t", third) }), [
        second,
        foreign,
        first,
      ]);
    },
  }),

  scenario("before-unknown-id", {
    rule: "before may carry an id that does not exist.",
    why: "Paging would break as soon as the checkpoint at the page's edge is pruned.",
    run: async ({ saver }) => {
      const first = await putOne(saver, "t");
      const never = newId();
      const second = await putOne(saver, "t");
      equal(await listIds(saver, configOf("t"), { before: configOf("t", never) }), [first]);
      equal(await listIds(saver, configOf("t"), { before: configOf("t", newId()) }), [second, first]);
      equal(await listIds(saver, configOf("t"), { before: configOf("t", "0") }), []);
    },
  }),

  scenario("before-without-id", {
    rule: "before without an id leaves nothing out.",
    why: "A config of a whole thread as `before` would return an empty history.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t");
      equal(await listIds(saver, configOf("t"), { before: configOf("t") }), [id]);
    },
  }),

  scenario("as-get-tuple", {
    rule: "Each tuple is as getTuple would return it: values, writes, metadata, parent.",
    why: "A state taken from the history would lack its interrupts, its tasks or its values.",
    run: async ({ saver }) => {
      let parent: string | undefined;
      for (let step = 0; step < 8; step += 1) {
        parent = await putOne(saver, "t", {
          namespace: "n",
          values: { kept: "k".repeat(9000), step },
          versions: { kept: 1, step },
          changed: step === 0 ? ["kept", "step"] : ["step"],
          metadata: { step, extra: { deep: [step] } },
          ...(parent === undefined ? {} : { parent }),
        });
        await saver.putWrites(
          configOf("t", parent, "n"),
          [
            ["step", step + 1],
            ["big", "b".repeat(5000)],
          ],
          "k",
        );
      }
      const tuples = await listAll(saver, everyNamespace);
      equal(tuples.length, 8);
      for (const tuple of tuples) {
        equal(tuple, await saver.getTuple(tuple.config));
        equal(tuple.pendingWrites?.length, 2);
        identical(tuple.checkpoint.channel_values["kept"], "k".repeat(9000));
        equal(Object.keys(tuple.config.configurable ?? {}).toSorted(), [
          "checkpoint_id",
          "checkpoint_ns",
          "thread_id",
        ]);
      }
    },
  }),

  scenario("long-history", {
    rule: "A long history is listed whole and in order, page after page.",
    why: "A driver's page limit would cut the history off without an error.",
    timeoutMs: 60_000,
    run: async ({ saver }) => {
      const ids = Array.from({ length: 150 }, newId);
      for (let from = 0; from < ids.length; from += 50) {
        await Promise.all(
          ids.slice(from, from + 50).map((id, at) => putOne(saver, "t", { id, values: { at: from + at } })),
        );
      }
      const tuples = await listAll(saver, configOf("t"));
      equal(
        tuples.map((tuple) => tuple.checkpoint.channel_values["at"]),
        ids.map((_, at) => at).toReversed(),
      );
      equal(
        await listIds(saver, configOf("t"), { before: configOf("t", ids[120]), limit: 90 }),
        ids.slice(30, 120).toReversed(),
      );
    },
  }),

  scenario("stop-early", {
    rule: "The consumer may stop early, and go on with the saver.",
    why: "A `break` out of the history would leak a cursor or block the connection.",
    run: async ({ saver }) => {
      for (let step = 0; step < 20; step += 1) await putOne(saver, "t", { values: { step } });
      const seen: unknown[] = [];
      for await (const tuple of saver.list(configOf("t"))) {
        seen.push(tuple.checkpoint.channel_values["step"]);
        if (seen.length === 3) break;
      }
      equal(seen, [19, 18, 17]);
      const generator = saver.list(configOf("t"));
      identical((await generator.next()).done, false);
      identical((await generator.return(undefined)).done, true);
      equal(await generator.next(), { done: true, value: undefined });
      await putOne(saver, "t", { values: { step: 20 } });
      equal((await getOne(saver, "t")).checkpoint.channel_values, { step: 20 });
      await saver.deleteThread("t");
      equal(await listIds(saver, configOf("t")), []);
    },
  }),

  scenario("interleaved", {
    rule: "The consumer may use the saver between two tuples, and several lists may run at once.",
    why: "Reading a subgraph's state while going through a history would deadlock or skip.",
    run: async ({ saver }) => {
      const ids = [await putOne(saver, "t"), await putOne(saver, "t"), await putOne(saver, "t")];
      const seen: string[] = [];
      for await (const tuple of saver.list(configOf("t"))) {
        seen.push(tuple.checkpoint.id);
        identical((await getOne(saver, "t", tuple.checkpoint.id)).checkpoint.id, tuple.checkpoint.id);
        equal((await listIds(saver, configOf("t"))).length, 3);
        await saver.putWrites(configOf("t", tuple.checkpoint.id), [["a", 1]], "k");
      }
      equal(seen, ids.toReversed());
    },
  }),
];
