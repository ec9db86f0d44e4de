import { equal, identical } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { newId, configOf, checkpointOf, metadataOf, putOne, getOne, valuesOf, listAll } from "./calls.js";
const scenario = inGroup("channels");

const large = (mark: string): string => `${mark}:${"abcdefghij".repeat(3000)}`;

export const channelsScenarios: readonly Scenario[] = [
  scenario("unchanged-keeps-parents-value", {
    rule: "A channel not in newVersions keeps the value the parent has at that version.",
    why: "LangGraph only vouches for the channels that changed: others may have been mutated by a node since.",
    run: async ({ saver }) => {
      const parent = await putOne(saver, "t", {
        values: { kept: "of the parent", big: large("of the parent"), a: 1 },
      });
      const child = await putOne(saver, "t", {
        parent,
        values: { kept: "mutated", big: large("mutated"), a: 2 },
        versions: { kept: 1, big: 1, a: 2 },
        changed: ["a"],
      });
      equal(await valuesOf(saver, "t", child), {
        kept: "of the parent",
        big: large("of the parent"),
        a: 2,
      });
    },
  }),

  scenario("carried-down-a-chain", {
    rule: "A value is carried down a long chain of checkpoints.",
    why: "A channel written once, such as the first input, would vanish after some steps.",
    run: async ({ saver }) => {
      let parent = await putOne(saver, "t", { values: { kept: { deep: [1, 2] }, step: 0 } });
      for (let step = 1; step <= 12; step += 1) {
        parent = await putOne(saver, "t", {
          parent,
          values: { kept: { deep: [1, 2] }, step },
          versions: { kept: 1, step: step + 1 },
          changed: ["step"],
        });
      }
      equal(await valuesOf(saver, "t", parent), { kept: { deep: [1, 2] }, step: 12 });
    },
  }),

  scenario("places-do-not-collide", {
    rule: "Namespaces and threads with colliding versions and ids keep each their own value.",
    why: "One user would be shown another user's state.",
    run: async ({ saver }) => {
      const [parent, id] = [newId(), newId()];
      const places = ["t", "u"].flatMap((thread) =>
        ["", "n"].map((namespace) => ({ thread, namespace, mark: `${thread}${namespace}` })),
      );
      for (const { thread, namespace, mark } of places) {
        await putOne(saver, thread, { id: parent, namespace, values: { a: large(mark) } });
      }
      for (const { thread, namespace, mark } of places) {
        await putOne(saver, thread, { id, namespace, parent, values: { a: large(mark) }, changed: [] });
      }
      for (const { thread, namespace, mark } of places) {
        equal(await valuesOf(saver, thread, id, namespace), { a: large(mark) });
      }
    },
  }),

  scenario("parent-not-stored", {
    rule: "A parent that is named but not stored: the value that was passed is stored.",
    why: "After pruning, or a move to another store, the state would lose every unchanged channel.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t", {
        parent: newId(),
        values: { a: 1, kept: large("passed") },
        changed: ["a"],
      });
      equal(await valuesOf(saver, "t", id), { a: 1, kept: large("passed") });
    },
  }),

  scenario("parent-elsewhere", {
    rule: "A parent that is stored in another namespace or thread only is not stored.",
    why: "The unchanged channels of one user's thread would be filled from another's.",
    run: async ({ saver }) => {
      const parent = newId();
      await putOne(saver, "t", { id: parent, namespace: "n", values: { a: "elsewhere" } });
      await putOne(saver, "u", { id: parent, values: { a: "elsewhere" } });
      const id = await putOne(saver, "t", { parent, values: { a: "passed" }, changed: [] });
      equal(await valuesOf(saver, "t", id), { a: "passed" });
    },
  }),

  scenario("parent-with-writes-only", {
    rule: "A parent of which only writes are stored is not stored.",
    why: "Writes arrive before their checkpoint: a child put in between would lose its values.",
    run: async ({ saver }) => {
      const parent = newId();
      await saver.putWrites(configOf("t", parent), [["a", "written"]], "task");
      const id = await putOne(saver, "t", { parent, values: { a: "passed" }, changed: [] });
      equal(await valuesOf(saver, "t", id), { a: "passed" });
    },
  }),

  scenario("no-parent-not-in-new-versions", {
    rule: "No parent, versioned and not in newVersions: not stored.",
    why: "LangGraph's own validation suite asks for it: a channel that did not change has no value to vouch for.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t", { values: { a: 1, b: 2 }, changed: ["a"] });
      const { checkpoint } = await getOne(saver, "t", id);
      equal(Object.entries(checkpoint.channel_values), [["a", 1]]);
      equal(checkpoint.channel_versions, { a: 1, b: 1 });
    },
  }),

  scenario("no-version-is-stored", {
    rule: "No parent and no version: the value is stored.",
    why: "Checkpoints that were made by hand or by old versions would lose values.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t", { values: { a: 1 }, versions: {} });
      equal(await valuesOf(saver, "t", id), { a: 1 });
    },
  }),

  scenario("version-without-value", {
    rule: "Channels that have a version and no value stay absent: not undefined, not null.",
    why: "A channel that was emptied would come back as if it had been set, and the nodes it triggers would run.",
    run: async ({ saver }) => {
      const parent = await putOne(saver, "t", {
        values: { a: 1, gone: 1 },
        versions: { a: 1, gone: 1, never: 1 },
      });
      const child = await putOne(saver, "t", {
        parent,
        values: { a: 1 },
        versions: { a: 1, gone: 2, never: 1 },
        changed: ["gone"],
      });
      for (const tuple of [await getOne(saver, "t", child), (await listAll(saver, configOf("t")))[0]!]) {
        equal(Object.entries(tuple.checkpoint.channel_values), [["a", 1]]);
        equal(tuple.checkpoint.channel_versions, { a: 1, gone: 2, never: 1 });
      }
      equal(Object.keys(await valuesOf(saver, "t", parent)).toSorted(), ["a", "gone"]);
    },
  }),

  scenario("dropped-channel-is-absent", {
    rule: "A channel that the child no longer names is absent.",
    why: "Ephemeral channels would come back from the dead and trigger their nodes again.",
    run: async ({ saver }) => {
      const parent = await putOne(saver, "t", { values: { a: 1, dropped: 2 } });
      const child = await putOne(saver, "t", { parent, values: { a: 1 }, changed: [] });
      equal(Object.entries(await valuesOf(saver, "t", child)), [["a", 1]]);
    },
  }),

  scenario("string-versions", {
    rule: "String versions carry values as numbers do.",
    why: "Savers with their own getNextVersion, and threads that came from them, would lose unchanged channels.",
    run: async ({ saver }) => {
      const [v1, v2] = ["00000000000000000000000000000001.0.5", "00000000000000000000000000000002.0.7"];
      const parent = await putOne(saver, "t", { values: { a: "kept", b: 1 }, versions: { a: v1, b: v1 } });
      const child = await putOne(saver, "t", {
        parent,
        values: { a: "kept", b: 2 },
        versions: { a: v1, b: v2 },
        changed: ["b"],
      });
      const { checkpoint } = await getOne(saver, "t", child);
      equal(checkpoint.channel_values, { a: "kept", b: 2 });
      equal(checkpoint.channel_versions, { a: v1, b: v2 });
    },
  }),

  scenario("falsy-values-are-values", {
    rule: "null, undefined, zero, false and the empty string are values, not absence.",
    why: "A cleared field would come back with its old value, or disappear.",
    run: async ({ saver }) => {
      const values = { nothing: null, undef: undefined, zero: 0, empty: "", no: false };
      const parent = await putOne(saver, "t", { values });
      const child = checkpointOf({ ...values });
      await saver.put(configOf("t", parent), child, metadataOf(), {});
      for (const id of [parent, child.id]) {
        const stored = await valuesOf(saver, "t", id);
        identical(new Map(Object.entries(stored)), new Map(Object.entries(values)));
      }
    },
  }),
];
