import {
  deltaChannelHistoryTests,
  validate,
  type CheckpointSaverTestInitializer,
} from "@langchain/langgraph-checkpoint-validation";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import type { SaverUnderTest } from "./saver-under-test.js";

/**
 * The whole of `@langchain/langgraph-checkpoint-validation`: `validate` leaves the delta-channel history tests out, so
 * they are called beside it. The package registers its tests on vitest's globals: the caller sets `globals: true`.
 */
export function officialSuite(subject: SaverUnderTest): void {
  const initializer: CheckpointSaverTestInitializer<BaseCheckpointSaver> = {
    // The package skips tests by name ("MemorySaver", "@langchain/langgraph-checkpoint-…"): a prefix of ours matches none.
    checkpointerName: `official suite: ${subject.name}`,
    createCheckpointer: () => subject.create(),
    destroyCheckpointer: (saver) => subject.destroy?.(saver),
  };
  validate(initializer);
  deltaChannelHistoryTests(initializer);
}
