import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { ContentSaver, SnapshotSaver } from "../savers/architectures.js";
import type { Draft } from "../savers/map-saver.js";
import type { CheckpointRecord, Place, Stored } from "../savers/storage.js";
import { defect, type Defect } from "./defect.js";

/** Stores a value once, as far as it remembers. */
export class TrustsItsCache extends ContentSaver {
  protected readonly known = new Set<string>();
  protected override keep(draft: Draft, channel: string, value: Stored): unknown {
    const hash = this.hash(value);
    if (!this.known.has(hash)) super.keep(draft, channel, value);
    this.known.add(hash);
    return hash;
  }
}

export const deletionDefects: Defect[] = [
  defect(
    "deleteThread.everything-goes",
    "deletes the root namespace",
    "One DELETE with the whole key, and the namespace in it is empty.",
    class extends SnapshotSaver {
      protected override isOf(thread: string, record: Place): boolean {
        return record.thread === thread && record.namespace === "";
      }
    },
  ),
  defect(
    "deletedThreads.nothing-behind",
    "deletes the latest checkpoint",
    "The thread looks empty to the one query that was tried.",
    class extends SnapshotSaver {
      protected override forget(thread: string): void {
        const latest = this.latest(thread, "");
        if (latest) this.storage.checkpoints.delete(this.key(thread, "", latest.id));
      }
    },
  ),
  defect(
    "deleteThread.writes-without-checkpoint",
    "deletes the writes of known checkpoints",
    "Writes cascade from checkpoints; those without one stay.",
    class extends SnapshotSaver {
      protected override forget(thread: string): void {
        const known = new Set(this.storage.checkpoints.keys());
        const orphans = [...this.storage.writes].filter(([key]) => !known.has(key));
        super.forget(thread);
        for (const [key, writes] of orphans) this.storage.writes.set(key, writes);
      }
    },
  ),
  defect(
    "deletedThreads.used-again",
    "leaves the memory of subgraphs",
    "Namespaces are deleted by `node:…`, and a bare name is not one.",
    class extends SnapshotSaver {
      protected override isOf(thread: string, record: Place): boolean {
        return record.thread === thread && (record.namespace === "" || record.namespace.includes(":"));
      }
    },
  ),
  defect(
    "deleteThread.nothing-of-another-thread",
    "deletes by prefix",
    "Keys begin with the thread id, and so do those of longer ids.",
    class extends SnapshotSaver {
      protected override isOf(thread: string, record: Place): boolean {
        return record.thread.startsWith(thread);
      }
    },
  ),
  defect(
    "deleteThread.no-patterns",
    "deletes by pattern",
    "`LIKE ?`, or KEYS of Redis.",
    class extends SnapshotSaver {
      protected override isOf(thread: string, record: Place): boolean {
        return thread === "%" || thread === "*" || super.isOf(thread, record);
      }
    },
  ),
  defect(
    "deleteThread.unknown-is-no-op",
    "fails on an unknown thread",
    "No row was deleted, which looks like a mistake.",
    class extends SnapshotSaver {
      protected override forget(thread: string): void {
        const before = this.storage.checkpoints.size;
        super.forget(thread);
        if (before > 0 && this.storage.checkpoints.size === before) throw new Error("no such thread");
      }
    },
  ),
  defect(
    "deleteThread.before-setup",
    "fails before anything is stored",
    "The tables are created by the first put.",
    class extends SnapshotSaver {
      protected override forget(thread: string): void {
        if (this.storage.checkpoints.size === 0) throw new Error("no such table: checkpoints");
        super.forget(thread);
      }
    },
  ),
  defect(
    "deleteThread.id-is-free-at-once",
    "leaves a tombstone",
    "Deletion is a mark on the thread, and readers skip what is marked.",
    class extends SnapshotSaver {
      private readonly dead = new Set<string>();
      protected override forget(thread: string): void {
        super.forget(thread);
        this.dead.add(thread);
      }
      protected override async tuple(...args: Parameters<SnapshotSaver["tuple"]>): Promise<CheckpointTuple> {
        const tuple = await super.tuple(...args);
        return this.dead.has(args[0].record.thread) ? (undefined as unknown as CheckpointTuple) : tuple;
      }
    },
  ),
  defect(
    "deleteThread.nothing-returns",
    "marks checkpoints as deleted",
    "A put of the same id takes the mark away, and the old parent is still there.",
    class extends SnapshotSaver {
      private readonly graveyard = new Map<string, CheckpointRecord>();
      protected override forget(thread: string): void {
        for (const [key, record] of this.storage.checkpoints) this.graveyard.set(key, record);
        super.forget(thread);
      }
      protected override parentOf(draft: Draft, before?: CheckpointRecord): string | undefined {
        const key = this.key(draft.thread, draft.namespace, draft.id);
        return super.parentOf(draft, before ?? this.graveyard.get(key));
      }
    },
  ),
  defect(
    "deleteThread.deleted-parent",
    "believes that values are stored which it has deleted",
    "A cache of known hashes that deleteThread does not clear.",
    TrustsItsCache,
  ),
  defect(
    "deletedThreads.no-other-thread",
    "deletes the values that threads share",
    "Chunks are stored once for all threads, and deleted with the first that goes.",
    class extends ContentSaver {
      protected override scope(): string {
        return "all";
      }
      protected override forget(thread: string): void {
        super.forget(thread);
        this.storage.values.delete("all");
      }
    },
  ),
  defect(
    "deletedThreads.forgets-its-interrupt",
    "deletes later",
    "deleteThread schedules a job, and answers.",
    class extends SnapshotSaver {
      override async deleteThread(): Promise<void> {
        await this.reach();
      }
    },
  ),
];
