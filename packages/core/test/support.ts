import { uuid6, type Checkpoint } from "@langchain/langgraph-checkpoint";
import { checkpoint as checkpointAt } from "@langgraph-savers/test/checkpoints";

export {
  config,
  metadata,
  noise as pseudoRandomBytes,
  text as pseudoRandomText,
} from "@langgraph-savers/test/checkpoints";

let clock = 0;

/** One with an id of its own: later ones have greater ids. */
export function checkpoint(values: Record<string, unknown>, version = 1): Checkpoint {
  return checkpointAt(uuid6((clock = (clock + 1) % 16_384)), values, version);
}
