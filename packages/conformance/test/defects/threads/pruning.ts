import type { PrunePolicy, ThreadOperations } from "../../../src/index.js";
import { SnapshotSaver } from "../../savers/architectures.js";
import { SaverFailure } from "../../savers/saver-ground.js";
import type { CheckpointRecord } from "../../savers/storage.js";
import { defect, type Defect } from "../defect.js";
import { TakesItsValuesAlong } from "./deleting.js";

type PruneArguments = Parameters<ThreadOperations["prune"]>;
type Records = readonly CheckpointRecord[];
type Told = ReturnType<SnapshotSaver["tell"]>;

export const pruningDefects: Defect[] = [
  defect(
    "prune.keep-latest",
    "keeps the oldest",
    "ORDER BY checkpoint_id, and DESC is missing.",
    class extends SnapshotSaver {
      protected override keeps(records: Records, policy: PrunePolicy) {
        return super.keeps(records.toReversed(), policy);
      }
    },
  ),
  defect(
    "prune.keep-last",
    "keeps one less than asked for",
    "OFFSET counts from 0.",
    class extends SnapshotSaver {
      protected override keeps(records: Records, policy: PrunePolicy) {
        return super.keeps(records, { ...policy, keepLast: Math.max(1, (policy.keepLast ?? 1) - 1) });
      }
    },
  ),
  defect(
    "prune.newest-by-id",
    "goes by the time of the put",
    "There is a column for it.",
    class extends SnapshotSaver {
      private turn = 0;
      protected override now(): number {
        return Date.now() + (this.turn += 1);
      }
      protected override keeps(records: Records, policy: PrunePolicy) {
        return super.keeps(
          records.toSorted((a, b) => b.at - a.at),
          policy,
        );
      }
    },
  ),
  defect(
    "prune.each-namespace",
    "counts the thread as a whole",
    "Keep the last n of a thread.",
    class extends SnapshotSaver {
      protected override countedBy({ thread }: CheckpointRecord): string {
        return thread;
      }
    },
  ),
  defect(
    "prune.writes-stay",
    "deletes all writes of the thread",
    "They are pending; whoever prunes is done with them.",
    class extends SnapshotSaver {
      protected override removeAll(records: Records) {
        const threads = new Set(records.map(({ thread }) => thread));
        for (const [key, { thread }] of this.storage.writes)
          if (threads.has(thread)) this.storage.writes.delete(key);
        return super.removeAll(records);
      }
    },
  ),
  defect(
    "prune.values-of-ancestors",
    "deletes the values that old checkpoints wrote",
    "ON DELETE CASCADE.",
    TakesItsValuesAlong,
  ),
  defect(
    "prune.delete",
    "deletes the root namespace of a thread",
    "WHERE checkpoint_ns = ''.",
    class extends SnapshotSaver {
      protected override removeAll(records: Records) {
        return super.removeAll(records.filter(({ namespace }) => namespace === ""));
      }
    },
  ),
  defect(
    "prune.other-threads",
    "prunes threads that start alike",
    "A range of keys, and its end is open.",
    class extends SnapshotSaver {
      protected override toPrune(asked: readonly string[] | undefined): string[] {
        return this.threads().filter((thread) => asked?.some((id) => thread.startsWith(id)) ?? true);
      }
    },
  ),
  defect(
    "prune.nothing-to-prune",
    "fails at a thread that is not there",
    "Better too strict than too lax.",
    class extends SnapshotSaver {
      protected override toPrune(asked: readonly string[] | undefined): string[] {
        if (asked?.some((id) => !this.hasThread(id)) === true)
          throw new SaverFailure("NOT_THERE", "a thread is not there");
        return super.toPrune(asked);
      }
    },
  ),
  defect(
    "prune.all",
    "prunes the first page of threads",
    "The driver gives at most a hundred, and a cursor that nobody follows.",
    class extends SnapshotSaver {
      protected override threads(): string[] {
        return super.threads().slice(0, 100);
      }
    },
  ),
  defect(
    "prune.older-than",
    "deletes the newest one of an idle thread",
    "It is older than the limit.",
    class extends SnapshotSaver {
      protected override async keeps(records: Records, policy: PrunePolicy) {
        const kept = await super.keeps(records, policy);
        const before = this.goesBefore(policy);
        for (const record of policy.olderThan === undefined ? [] : records)
          if (record.at < before) kept.delete(record);
        return kept;
      }
    },
  ),
  defect(
    "prune.older-than-and-keep-last",
    "lets age decide",
    "With an age, the count is no longer looked at.",
    class extends SnapshotSaver {
      protected override keeps(records: Records, { keepLast, ...policy }: PrunePolicy) {
        const counts = policy.olderThan === undefined && keepLast !== undefined;
        return super.keeps(records, counts ? { ...policy, keepLast } : policy);
      }
    },
  ),
  defect(
    "prune.idle-threads",
    "deletes what is old of a thread in use",
    "DELETE … WHERE created_at < ?.",
    class extends SnapshotSaver {
      protected override async keeps(records: Records, policy: PrunePolicy) {
        const kept = await super.keeps(records, policy);
        const before = this.goesBefore(policy);
        for (const record of policy.strategy === "delete" ? records : [])
          if (record.at < before) kept.delete(record);
        return kept;
      }
    },
  ),
  defect(
    "prune.interrupted",
    "deletes a question that waits for its answer",
    "It is not the newest.",
    class extends SnapshotSaver {
      protected override isInterrupted(): boolean {
        return false;
      }
    },
  ),
  defect(
    "prune.dry-run",
    "deletes in a dry run",
    "The option is called dryrun there.",
    class extends SnapshotSaver {
      protected override isDry(): boolean {
        return false;
      }
    },
  ),
  defect(
    "prune.report",
    "does not say why something stayed",
    "The list is there for later.",
    class extends SnapshotSaver {
      protected override tell(...args: Parameters<SnapshotSaver["tell"]>): Told {
        const told = super.tell(...args);
        return { ...told, kept: told.kept.map((each) => ({ ...each, reasons: [] })) };
      }
    },
  ),
  defect(
    "prune.long-history",
    "looks at the newest hundred",
    "The driver gives at most a hundred, and a cursor that nobody follows.",
    class extends SnapshotSaver {
      protected override async keeps(records: Records, policy: PrunePolicy) {
        const kept = await super.keeps(records.slice(0, 100), policy);
        for (const record of records.slice(100)) kept.set(record, ["unseen"]);
        return kept;
      }
    },
  ),
  defect(
    "prune.bad-input",
    "follows any policy",
    "keepLast: 0 keeps the last 0.",
    class extends SnapshotSaver {
      protected override checkPolicy(): void {}
    },
  ),
  defect(
    "prune.keep-finished",
    "takes the newest for finished",
    "It has been put, so its step is done.",
    class extends SnapshotSaver {
      protected override async isFinished(): Promise<boolean> {
        return true;
      }
    },
  ),
  defect(
    "prune.delta-channels",
    "deletes what a delta channel counts on",
    "Every checkpoint was whole, once.",
    class extends SnapshotSaver {
      protected override async ancestorsToKeep(): Promise<CheckpointRecord[]> {
        return [];
      }
    },
  ),
  defect(
    "prune.beside-running-graphs",
    "deletes whatever it did not see",
    "DELETE … WHERE checkpoint_id NOT IN (those that stay).",
    class extends SnapshotSaver {
      override async prune(...[threadIds, policy]: PruneArguments) {
        const report = await super.prune(threadIds, { ...policy, dryRun: true });
        await this.reach();
        for (const { threadId, kept } of report.threads) {
          const stays = new Set(kept.map(({ checkpointId }) => checkpointId));
          this.removeAll(this.recordsOf(threadId).filter(({ id }) => !stays.has(id)));
        }
        return report;
      }
    },
  ),
];
