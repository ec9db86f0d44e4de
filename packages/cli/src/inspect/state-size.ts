import { Serializer } from "@langgraph-savers/core";
import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";

const serializer = new Serializer();

/** What a value takes when it is serialised whole; 0 for what cannot be. */
function valueBytes(value: unknown): number {
  try {
    return serializer.dump(value)[1].byteLength;
  } catch {
    return 0;
  }
}

/** All values of a checkpoint, each serialised whole: what a saver that stores every state again would take. */
export function stateBytes({ checkpoint }: CheckpointTuple): number {
  return Object.values(checkpoint.channel_values).reduce<number>((sum, value) => sum + valueBytes(value), 0);
}
