import type { RunnableConfig } from "@langchain/core/runnables";

import type { ThreadOperations } from "../../../src/index.js";
import { SnapshotSaver } from "../../savers/architectures.js";
import type { CheckpointRecord, Stored } from "../../savers/storage.js";
import { defect, type Defect } from "../defect.js";
import { BorrowsFromItsSource } from "./copying.js";

type ForkOptions = Parameters<ThreadOperations["fork"]>[1];

export const forkingDefects: Defect[] = [
  defect(
    "forkThread.goes-on-at-once",
    "returns the config that it was given",
    "put returns a config, so fork returns one too.",
    class extends SnapshotSaver {
      override async fork(config: RunnableConfig, options?: ForkOptions): Promise<RunnableConfig> {
        await super.fork(config, options);
        return config;
      }
    },
  ),
  defect(
    "forkThread.newest",
    "forks from the oldest",
    "The first row of the thread.",
    class extends SnapshotSaver {
      override fork(config: RunnableConfig, options?: ForkOptions): Promise<RunnableConfig> {
        const { thread, namespace = "", id } = this.placeOf(config);
        const oldest = this.recordsOf(thread ?? "").find((record) => record.namespace === namespace);
        return super.fork(id === undefined && oldest !== undefined ? this.configOf(oldest) : config, options);
      }
    },
  ),
  defect(
    "forkThread.any-checkpoint",
    "copies the whole thread",
    "The checkpoint is in it.",
    class extends SnapshotSaver {
      protected override async copyBranch(origin: CheckpointRecord, target: string): Promise<void> {
        for (const record of this.recordsOf(origin.thread)) this.copyRecord(record, target);
      }
    },
  ),
  defect(
    "forkThread.edits",
    "forgets the edits",
    "They are for a later release.",
    class extends SnapshotSaver {
      protected override async applyEdits(): Promise<void> {}
    },
  ),
  defect(
    "forkThread.edits-have-new-versions",
    "leaves the versions as they are",
    "The value is what matters.",
    class extends SnapshotSaver {
      protected override editVersion(versions: Record<string, number>): number {
        return Math.min(...Object.values(versions));
      }
    },
  ),
  defect(
    "forkThread.edits-are-taken-at-once",
    "looks at the edits when it comes to them",
    "First the connection, then the work.",
    class extends SnapshotSaver {
      protected override async serialiseEdits(edits: Record<string, unknown>): Promise<Map<string, Stored>> {
        await this.reach();
        return super.serialiseEdits(edits);
      }
    },
  ),
  defect(
    "forkThread.says-where-from",
    "does not say where it came from",
    "A copy is a copy.",
    class extends SnapshotSaver {
      protected override markOrigin(metadata: Record<string, unknown>): Record<string, unknown> {
        return metadata;
      }
    },
  ),
  defect(
    "forkThread.new-thread-each-time",
    "has one name for forks",
    "Nobody forks twice.",
    class extends SnapshotSaver {
      protected override newThread(): string {
        return "fork";
      }
    },
  ),
  defect(
    "forkThread.parents-are-there",
    "keeps a parent that stayed behind",
    "The record is copied as it is.",
    class extends SnapshotSaver {
      protected override parentIn(): Partial<CheckpointRecord> {
        return {};
      }
    },
  ),
  defect(
    "forkThread.independent",
    "refers to the values of the thread it came from",
    "Forks are cheap that way.",
    BorrowsFromItsSource,
  ),
  defect(
    "forkThread.interrupt",
    "leaves the subgraphs behind",
    "A checkpoint is one record.",
    class extends SnapshotSaver {
      protected override async subgraphsOf(): Promise<CheckpointRecord[]> {
        return [];
      }
    },
  ),
  defect(
    "forkThread.delta-channels",
    "leaves the ancestors of a delta channel behind",
    "Written before there were delta channels.",
    class extends SnapshotSaver {
      protected override async ancestorsToCopy(): Promise<CheckpointRecord[]> {
        return [];
      }
    },
  ),
  defect(
    "forkThread.unknown-checkpoint",
    "falls back to the newest",
    "Better some state than none.",
    class extends SnapshotSaver {
      override fork(config: RunnableConfig, options?: ForkOptions): Promise<RunnableConfig> {
        const { thread, namespace = "", id } = this.placeOf(config);
        const isThere = this.storage.checkpoints.has(this.key(thread ?? "", namespace, id ?? ""));
        const { checkpoint_id: _, ...rest } = config.configurable ?? {};
        return super.fork(isThere ? config : { configurable: rest }, options);
      }
    },
  ),
  defect(
    "forkThread.existing-thread",
    "forks into a thread that is there",
    "Nobody looks.",
    class extends SnapshotSaver {
      protected override hasThread(): boolean {
        return false;
      }
    },
  ),
  defect(
    "forkThread.bad-input",
    "takes a list for edits",
    "Object.entries takes it too.",
    class extends SnapshotSaver {
      protected override checkFork(): void {}
    },
  ),
];
