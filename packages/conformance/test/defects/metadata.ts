import type { RunnableConfig } from "@langchain/core/runnables";
import type { CheckpointMetadata } from "@langchain/langgraph-checkpoint";

import { SnapshotSaver } from "../savers/architectures.js";
import { defect, type Defect } from "./defect.js";

/** A saver that makes the metadata it stores in its own way. */
function making(make: (config: RunnableConfig, metadata: CheckpointMetadata) => object) {
  return class extends SnapshotSaver {
    protected override metadataFor(config: RunnableConfig, metadata: CheckpointMetadata): CheckpointMetadata {
      return make(config, super.metadataFor(config, metadata)) as CheckpointMetadata;
    }
  };
}

export const metadataDefects: Defect[] = [
  defect(
    "metadata.stored-whole",
    "stores source, step and parents",
    "A column for each field of the type; LangGraph's counters of delta channels are not among them.",
    making((_, { source, step, parents }) => ({ source, step, parents })),
  ),
  defect(
    "metadata.names-of-object-members",
    "copies metadata key by key",
    "`copy[key] = value`, which sets the prototype for one key.",
    making((_, metadata) => {
      const copy: Record<string, unknown> = {};
      for (const [key, value] of Object.entries(metadata)) copy[key] = value;
      return copy;
    }),
  ),
  defect(
    "richValues.in-metadata",
    "stores metadata as JSON",
    "Values have a serializer, metadata has a JSON column.",
    making((_, metadata) => JSON.parse(JSON.stringify(metadata, withoutBigInt)) as object),
  ),
  defect(
    "runs.run-id-is-stored",
    "does not store the run",
    "LangGraph.js does not pass it in the metadata.",
    class extends SnapshotSaver {
      protected override metadataFor(_: RunnableConfig, metadata: CheckpointMetadata): CheckpointMetadata {
        return metadata;
      }
    },
  ),
  defect(
    "runs.none-made-up",
    "makes up a run",
    "A default, so that the column is never null.",
    making((_, metadata) => ({ run_id: "none", ...metadata })),
  ),
  defect(
    "runs.callers-object-untouched",
    "writes the run into the caller's metadata",
    "Object.assign(metadata, …).",
    class extends SnapshotSaver {
      protected override metadataFor(
        config: RunnableConfig,
        metadata: CheckpointMetadata,
      ): CheckpointMetadata {
        return Object.assign(metadata, super.metadataFor(config, metadata));
      }
    },
  ),
  defect(
    "timeTravel.every-step",
    "numbers the steps itself",
    "The step is a counter of the row.",
    making((_, metadata) => ({ ...metadata, step: Math.max(0, metadata.step) })),
  ),
  defect(
    "subgraphs.own-history",
    "forgets who called a subgraph",
    "parents looks redundant next to the parent's id.",
    making((_, metadata) => ({ ...metadata, parents: {} })),
  ),
];

function withoutBigInt(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
