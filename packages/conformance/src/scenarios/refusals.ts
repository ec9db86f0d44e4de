import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { brief } from "../brief.js";
import { equal } from "../check.js";
import type { Scenario } from "../scenario.js";
import { checkpointOf, configOf, listAll, listIds, metadataOf, putOne, refusal, writesOf } from "./calls.js";
import { inGroup } from "./define.js";

const scenario = inGroup("refusals");

const notIds: unknown[] = [{ id: "t" }, { $gt: "" }, /t/, ["t"], [], true, () => "t", new Uint8Array([116])];

interface Method {
  name: string;
  what: string;
  why: string;
  /** By the id in whose place is something that is none. */
  calls: (saver: BaseCheckpointSaver, bad: unknown, id: string) => Record<string, () => unknown>;
}

const methods: Method[] = [
  {
    name: "put",
    what: "put",
    why: "An id of a wrong type is written as `[object Object]`, a thread that every such mistake shares.",
    calls: (saver, bad) => ({
      thread_id: () => saver.put(configOf(bad), checkpointOf(), metadataOf(), {}),
      checkpoint_id: () => saver.put(configOf("t", bad), checkpointOf(), metadataOf(), {}),
      checkpoint_ns: () => saver.put(configOf("t", undefined, bad), checkpointOf(), metadataOf(), {}),
      "checkpoint.id": () =>
        saver.put(configOf("t"), checkpointOf({}, { id: bad as string }), metadataOf(), {}),
    }),
  },
  {
    name: "put-writes",
    what: "putWrites",
    why: "Results of a task would be stored where nobody looks for them.",
    calls: (saver, bad, id) => ({
      thread_id: () => saver.putWrites(configOf(bad, id), [["a", 2]], "k"),
      checkpoint_id: () => saver.putWrites(configOf("t", bad), [["a", 2]], "k"),
      checkpoint_ns: () => saver.putWrites(configOf("t", id, bad), [["a", 2]], "k"),
      taskId: () => saver.putWrites(configOf("t", id), [["a", 2]], bad as string),
    }),
  },
  {
    name: "get-tuple",
    what: "getTuple",
    why: "An operator in the place of an id, as a request can carry it, would read another user's thread.",
    calls: (saver, bad, id) => ({
      thread_id: () => saver.getTuple(configOf(bad)),
      checkpoint_id: () => saver.getTuple(configOf("t", bad)),
      checkpoint_ns: () => saver.getTuple(configOf("t", id, bad)),
    }),
  },
  {
    name: "list",
    what: "list",
    why: "An operator in the place of an id would list every user's threads.",
    calls: (saver, bad) => ({
      thread_id: () => listAll(saver, configOf(bad)),
      checkpoint_id: () => listAll(saver, configOf("t", bad)),
      checkpoint_ns: () => listAll(saver, configOf("t", undefined, bad)),
      "checkpoint_id of before": () => listAll(saver, configOf("t"), { before: configOf("t", bad) }),
    }),
  },
  {
    name: "delete-thread",
    what: "deleteThread",
    why: "An operator in the place of an id would delete every thread there is.",
    calls: (saver, bad) => ({ threadId: () => saver.deleteThread(bad as string) }),
  },
];

export const refusalsScenarios: readonly Scenario[] = methods.map(({ name, what, why, calls }) =>
  scenario(name, {
    rule: `${what} refuses an object, an array or anything else that is no id with a clear error, and changes nothing.`,
    why,
    run: async ({ saver }) => {
      const id = await putOne(saver, "t", { values: { a: 1 } });
      for (const bad of notIds) {
        for (const [place, call] of Object.entries(calls(saver, bad, id)))
          await refusal(call, undefined, `${what} with ${brief(bad)} as its \`${place}\``);
      }
      equal(await listIds(saver, {}), [id], "the stored checkpoints");
      equal(await writesOf(saver, "t", id), [], "the stored writes");
    },
  }),
);
