import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

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
  /** Every call of the method with something in the place of an id that is none. */
  calls: (saver: BaseCheckpointSaver, bad: unknown, id: string) => (() => unknown)[];
}

const methods: Method[] = [
  {
    name: "put",
    what: "put",
    why: "An id of a wrong type is written as `[object Object]`, a thread that every such mistake shares.",
    calls: (saver, bad) => [
      () => saver.put(configOf(bad), checkpointOf(), metadataOf(), {}),
      () => saver.put(configOf("t", bad), checkpointOf(), metadataOf(), {}),
      () => saver.put(configOf("t", undefined, bad), checkpointOf(), metadataOf(), {}),
      () => saver.put(configOf("t"), checkpointOf({}, { id: bad as string }), metadataOf(), {}),
    ],
  },
  {
    name: "put-writes",
    what: "putWrites",
    why: "Results of a task would be stored where nobody looks for them.",
    calls: (saver, bad, id) => [
      () => saver.putWrites(configOf(bad, id), [["a", 2]], "k"),
      () => saver.putWrites(configOf("t", bad), [["a", 2]], "k"),
      () => saver.putWrites(configOf("t", id, bad), [["a", 2]], "k"),
      () => saver.putWrites(configOf("t", id), [["a", 2]], bad as string),
    ],
  },
  {
    name: "get-tuple",
    what: "getTuple",
    why: "An operator in the place of an id, as a request can carry it, would read another user's thread.",
    calls: (saver, bad, id) => [
      () => saver.getTuple(configOf(bad)),
      () => saver.getTuple(configOf("t", bad)),
      () => saver.getTuple(configOf("t", id, bad)),
    ],
  },
  {
    name: "list",
    what: "list",
    why: "An operator in the place of an id would list every user's threads.",
    calls: (saver, bad) => [
      () => listAll(saver, configOf(bad)),
      () => listAll(saver, configOf("t", bad)),
      () => listAll(saver, configOf("t", undefined, bad)),
      () => listAll(saver, configOf("t"), { before: configOf("t", bad) }),
    ],
  },
  {
    name: "delete-thread",
    what: "deleteThread",
    why: "An operator in the place of an id would delete every thread there is.",
    calls: (saver, bad) => [() => saver.deleteThread(bad as string)],
  },
];

export const refusalsScenarios: readonly Scenario[] = methods.map(({ name, what, why, calls }) =>
  scenario(name, {
    rule: `${what} refuses an object, an array or anything else that is no id with a clear error, and changes nothing.`,
    why,
    run: async ({ saver }) => {
      const id = await putOne(saver, "t", { values: { a: 1 } });
      for (const bad of notIds) {
        for (const call of calls(saver, bad, id)) await refusal(call);
      }
      equal(await listIds(saver, {}), [id], "the stored checkpoints");
      equal(await writesOf(saver, "t", id), [], "the stored writes");
    },
  }),
);
