import type { RunnableConfig } from "@langchain/core/runnables";
import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { SnapshotSaver } from "../savers/architectures.js";
import type { Draft, MapSaver } from "../savers/map-saver.js";
import { SaverFailure } from "../savers/saver-ground.js";
import { StorageError, type Place, type WriteRecord } from "../savers/storage.js";
import { defect, type Defect } from "./defect.js";

export const faultDefects: Defect[] = [
  defect(
    "faults.transient-put",
    "does not retry",
    "An error is an error; and LangGraph makes an unhandled rejection of it.",
    class extends SnapshotSaver {
      protected override async reach(): Promise<void> {
        await this.storage.reach(this.storage.epoch);
      }
    },
  ),
  defect(
    "faults.transient-put-writes",
    "does not retry writes",
    "The retry was written for put.",
    class extends SnapshotSaver {
      protected override async commitWrites(place: Place, batch: WriteRecord[]): Promise<void> {
        await this.storage.reach(this.storage.epoch);
        this.commitWritesNow(place, batch);
      }
    },
  ),
  defect(
    "faults.transient-reads",
    "lists nothing when the storage fails",
    "`catch { return }`.",
    class extends SnapshotSaver {
      override async *list(...args: Parameters<MapSaver["list"]>): AsyncGenerator<CheckpointTuple> {
        try {
          await this.storage.reach(this.storage.epoch);
        } catch {
          return;
        }
        yield* super.list(...args);
      }
    },
  ),
  defect(
    "faults.transient-delete",
    "takes a deletion that failed for done",
    "The second call finds the thread on the list of those that are deleted.",
    class extends SnapshotSaver {
      private readonly done = new Set<string>();
      override async deleteThread(threadId: string): Promise<void> {
        if (this.done.has(threadId)) return;
        this.done.add(threadId);
        await this.storage.reach(this.storage.epoch);
        this.forget(threadId);
      }
    },
  ),
  defect(
    "faults.outage-is-an-error",
    "finds nothing while the storage is away",
    "`catch { return undefined }`: every thread starts over.",
    class extends SnapshotSaver {
      override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
        try {
          return await super.getTuple(config);
        } catch {
          return undefined;
        }
      }
    },
  ),
  defect(
    "faults.outage-ends",
    "never tries again",
    "The connection is made once; the promise of it is kept, also when it has failed.",
    class extends SnapshotSaver {
      private broken: unknown;
      protected override async reach(): Promise<void> {
        if (this.broken) throw new SaverFailure("CLOSED", "the connection is closed", this.broken);
        try {
          await super.reach();
        } catch (error) {
          this.broken = error;
          throw error;
        }
      }
    },
  ),
  defect(
    "faults.crash-keeps-what-was-acknowledged",
    "acknowledges before it has stored",
    "Writes are flushed in the background: what a crash takes was reported as done.",
    class extends SnapshotSaver {
      protected override async commit(draft: Draft): Promise<void> {
        const { epoch } = this.storage;
        void (async () => {
          for (let turn = 0; turn < 20; turn += 1) await this.storage.reach(epoch);
          this.commitNow(draft);
        })().catch((error: unknown) => {
          if (!(error instanceof StorageError)) throw error;
        });
      }
    },
  ),
];
