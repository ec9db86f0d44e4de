import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { equal } from "../check.js";
import { checkpointOf, configOf, getOne, listAll, metadataOf, threeKeys } from "./calls.js";

/** Stores a mark of its own at each place, and finds it there again: no place is taken for another. */
export async function checkDistinct(
  saver: BaseCheckpointSaver,
  places: { thread: string; namespace: string; id: string }[],
): Promise<void> {
  for (const [mark, place] of places.entries()) {
    const returned = await saver.put(
      configOf(place.thread, undefined, place.namespace),
      checkpointOf({ mark }, { id: place.id }),
      metadataOf(),
      { mark: 1 },
    );
    equal(returned, threeKeys(place.thread, place.id, place.namespace));
    await saver.putWrites(returned, [["mark", mark]], "task");
  }
  for (const [mark, { thread, id, namespace }] of places.entries()) {
    const tuple = await getOne(saver, thread, id, namespace);
    equal(tuple.config, threeKeys(thread, id, namespace));
    equal(tuple.checkpoint.channel_values, { mark });
    equal(tuple.pendingWrites, [["task", "mark", mark]]);
    // Not by id, nor in order: both have scenarios of their own.
    const here = [...places.entries()].filter(
      ([, each]) => each.thread === thread && each.namespace === namespace,
    );
    const listed = await listAll(saver, configOf(thread, undefined, namespace));
    equal(
      new Map(listed.map((each) => [each.checkpoint.id, each.checkpoint.channel_values])),
      new Map(here.map(([at, each]) => [each.id, { mark: at }])),
      "the checkpoints of one thread and namespace",
    );
    equal(listed.length, here.length, "their numbers");
  }
}
