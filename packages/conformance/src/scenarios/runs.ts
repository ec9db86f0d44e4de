import { equal, check } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { configOf, checkpointOf, metadataOf, putOne, getOne, listIds } from "./calls.js";
const scenario = inGroup("runs");

export const runsScenarios: readonly Scenario[] = [
  scenario("run-id-is-stored", {
    rule: "The run_id of config.metadata is stored, and can be filtered by.",
    why: "LangGraph.js does not copy it: without it, the checkpoints of one run can be neither found nor deleted.",
    run: async ({ saver }) => {
      const checkpoint = checkpointOf();
      await saver.put(
        { ...configOf("t"), metadata: { run_id: "run-1", other: "not stored" } },
        checkpoint,
        metadataOf(),
        {},
      );
      await putOne(saver, "t");
      equal((await getOne(saver, "t", checkpoint.id)).metadata, {
        ...metadataOf(),
        run_id: "run-1",
      });
      equal(await listIds(saver, configOf("t"), { filter: { run_id: "run-1" } }), [checkpoint.id]);
    },
  }),

  scenario("none-made-up", {
    rule: "Without a run_id none is made up.",
    why: "Deleting by run would take checkpoints that belong to none.",
    run: async ({ saver }) => {
      const id = await putOne(saver, "t");
      check(!("run_id" in ((await getOne(saver, "t", id)).metadata ?? {})), "no run_id in the metadata");
    },
  }),

  scenario("callers-object-untouched", {
    rule: "The caller's metadata object is left as it was.",
    why: "LangGraph goes on using the object: what the saver adds would show up in the next step.",
    run: async ({ saver }) => {
      const metadata = metadataOf({ nested: { a: 1 } });
      await saver.put({ ...configOf("t"), metadata: { run_id: "run-1" } }, checkpointOf(), metadata, {});
      equal(metadata, metadataOf({ nested: { a: 1 } }));
    },
  }),
];
