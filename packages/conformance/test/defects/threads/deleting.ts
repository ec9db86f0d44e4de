import type { RunnableConfig } from "@langchain/core/runnables";
import type { CheckpointMetadata } from "@langchain/langgraph-checkpoint";

import type { ThreadOperations } from "../../../src/index.js";
import { ChannelSaver, SnapshotSaver } from "../../savers/architectures.js";
import type { Draft } from "../../savers/map-saver.js";
import { SaverFailure } from "../../savers/saver-ground.js";
import type { CheckpointRecord, Place } from "../../savers/storage.js";
import { defect, type Defect } from "../defect.js";

type DeleteArguments = Parameters<ThreadOperations["deleteCheckpoints"]>;

/** The values that a checkpoint has written go with it, though its children have not written them again. */
export class TakesItsValuesAlong extends ChannelSaver {
  protected override remove(place: Place): void {
    const { thread, namespace, id } = place;
    const record = this.storage.checkpoints.get(this.key(thread, namespace, id));
    for (const ref of record?.refs.values() ?? [])
      if ((ref as string).includes(JSON.stringify(id))) this.storage.valuesOf(thread).delete(ref as string);
    super.remove(place);
  }
}

/** One table is forgotten. */
class LeavesTheWrites extends SnapshotSaver {
  protected override remove({ thread, namespace, id }: Place): void {
    this.storage.checkpoints.delete(this.key(thread, namespace, id));
  }
}

class KnowsNoDeltaChannels extends SnapshotSaver {
  protected override async assertNotNeeded(): Promise<void> {}
}

class TakesAnythingForIds extends SnapshotSaver {
  protected override checkIds(_name: string, ids: unknown): string[] {
    return ids as string[];
  }
}

export const deletingDefects: Defect[] = [
  defect(
    "deleteCheckpoints.gone-with-their-writes",
    "deletes the first that is named",
    "LIMIT 1, from a time when it took one id.",
    class extends SnapshotSaver {
      override deleteCheckpoints(...[threadId, ids, options]: DeleteArguments) {
        return super.deleteCheckpoints(threadId, Array.isArray(ids) ? ids.slice(0, 1) : ids, options);
      }
    },
  ),
  defect(
    "deleteCheckpoints.children-stay-whole",
    "deletes the values that a checkpoint wrote",
    "ON DELETE CASCADE.",
    TakesItsValuesAlong,
  ),
  defect(
    "deleteCheckpoints.namespaces",
    "deletes in every namespace",
    "An id is unique by itself.",
    class extends SnapshotSaver {
      protected override isIn(): boolean {
        return true;
      }
    },
  ),
  defect(
    "deleteCheckpoints.unknown-ids",
    "fails at an id that is not there",
    "Better too strict than too lax.",
    class extends SnapshotSaver {
      override async deleteCheckpoints(...[threadId, ids, options]: DeleteArguments) {
        const there = new Set(this.recordsOf(threadId).map(({ id }) => id));
        if (Array.isArray(ids) && !ids.every((id: string) => there.has(id)))
          throw new SaverFailure("NOT_THERE", "an id is not there");
        return super.deleteCheckpoints(threadId, ids, options);
      }
    },
  ),
  defect(
    "deleteCheckpoints.put-again",
    "leaves the writes of deleted checkpoints",
    "DELETE FROM checkpoints; the other table is forgotten.",
    LeavesTheWrites,
  ),
  defect(
    "deleteCheckpoints.last-one",
    "remembers the newest checkpoint of a thread",
    "A pointer to the head, moved by put only.",
    class extends SnapshotSaver {
      private readonly heads = new Map<string, CheckpointRecord>();
      protected override commitNow(draft: Draft): void {
        super.commitNow(draft);
        const { thread, namespace } = draft;
        this.heads.set(this.key(thread, namespace), super.latest(thread, namespace)!);
      }
      protected override latest(thread: string, namespace: string): CheckpointRecord | undefined {
        return this.heads.get(this.key(thread, namespace)) ?? super.latest(thread, namespace);
      }
    },
  ),
  defect(
    "deleteCheckpoints.needed-by-delta-channels",
    "deletes what delta channels count on",
    "Every checkpoint was whole, once.",
    KnowsNoDeltaChannels,
  ),
  defect(
    "deleteCheckpoints.beside-readers",
    "deletes the writes first",
    "Children before parents, as foreign keys want it.",
    class extends SnapshotSaver {
      override async deleteCheckpoints(...[threadId, ids]: DeleteArguments) {
        let checkpoints = 0;
        for (const { thread, namespace, id } of this.recordsOf(threadId)) {
          if (!ids.includes(id)) continue;
          this.storage.writes.delete(this.key(thread, namespace, id));
          await this.reach();
          this.remove({ thread, namespace, id });
          checkpoints += 1;
        }
        return { checkpoints };
      }
    },
  ),
  defect(
    "deleteCheckpoints.bad-input",
    "takes anything for a list of ids",
    "A Set can be made of a string.",
    TakesAnythingForIds,
  ),
  defect(
    "deleteForRuns.what-the-runs-put",
    "deletes the threads in which the runs were",
    "A run has a thread.",
    class extends SnapshotSaver {
      override async deleteForRuns(runIds: readonly string[]) {
        let checkpoints = 0;
        for (const record of this.storage.checkpoints.values()) {
          if (!this.isOfRuns(await this.metadataOf(record), new Set(runIds))) continue;
          checkpoints += 1;
          this.forget(record.thread);
        }
        return { checkpoints };
      }
    },
  ),
  defect(
    "deleteForRuns.exact-ids",
    "takes a run id for a prefix",
    "begins_with on a sort key that starts with the run.",
    class extends SnapshotSaver {
      protected override isOfRuns(metadata: Record<string, unknown>, runs: Set<string>): boolean {
        return [...runs].some((run) => String(metadata["run_id"]).startsWith(run));
      }
    },
  ),
  defect(
    "deleteForRuns.metadata-of-the-put",
    "knows the run of the config",
    "That is where LangGraph.js has it.",
    class extends SnapshotSaver {
      protected override metadataFor(
        config: RunnableConfig,
        metadata: CheckpointMetadata,
      ): CheckpointMetadata {
        return Object.assign({ ...metadata }, { run_id: config.metadata?.["run_id"] });
      }
    },
  ),
  defect(
    "deleteForRuns.writes-go-too",
    "leaves the writes of the run",
    "DELETE FROM checkpoints; the other table is forgotten.",
    LeavesTheWrites,
  ),
  defect(
    "deleteForRuns.everywhere",
    "deletes in the root namespace",
    "Subgraphs belong to their graph.",
    class extends SnapshotSaver {
      protected override removeAll(records: readonly CheckpointRecord[]) {
        return super.removeAll(records.filter(({ namespace }) => namespace === ""));
      }
    },
  ),
  defect(
    "deleteForRuns.children-stay-whole",
    "deletes the values that the run wrote",
    "ON DELETE CASCADE.",
    TakesItsValuesAlong,
  ),
  defect(
    "deleteForRuns.nothing-to-delete",
    "fails where there is nothing to delete",
    "WHERE run_id IN () is a syntax error.",
    class extends SnapshotSaver {
      override async deleteForRuns(runIds: readonly string[]) {
        if (Array.isArray(runIds) && runIds.length === 0) throw new Error("syntax error near ')'");
        return super.deleteForRuns(runIds);
      }
    },
  ),
  defect(
    "deleteForRuns.many",
    "deletes the first page of a run",
    "The driver gives at most a hundred, and a cursor that nobody follows.",
    class extends SnapshotSaver {
      protected override removeAll(records: readonly CheckpointRecord[]) {
        return super.removeAll(records.slice(0, 100));
      }
    },
  ),
  defect(
    "deleteForRuns.runs-of-graphs",
    "looks for the run in the checkpoint's metadata",
    "That is where Python has it.",
    class extends SnapshotSaver {
      protected override metadataFor(
        _config: RunnableConfig,
        metadata: CheckpointMetadata,
      ): CheckpointMetadata {
        return metadata;
      }
    },
  ),
  defect(
    "deleteForRuns.needed-by-delta-channels",
    "deletes what delta channels of other runs count on",
    "Every checkpoint was whole, once.",
    KnowsNoDeltaChannels,
  ),
  defect(
    "deleteForRuns.bad-input",
    "takes anything for a list of runs",
    "A Set can be made of a string.",
    TakesAnythingForIds,
  ),
];
