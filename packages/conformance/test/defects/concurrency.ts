import { ChannelSaver, ContentSaver, SnapshotSaver } from "../savers/architectures.js";
import type { Draft } from "../savers/map-saver.js";
import type { CheckpointRecord, Place, WriteRecord } from "../savers/storage.js";
import { defect, type Defect } from "./defect.js";

export const concurrencyDefects: Defect[] = [
  defect(
    "concurrency.many-puts",
    "keeps a thread's checkpoints in one document",
    "It is read, added to and written back: of two at once, one is lost.",
    class extends SnapshotSaver {
      protected override async commit(draft: Draft): Promise<void> {
        await this.reach();
        const read = new Map(this.storage.checkpoints);
        await this.reach();
        for (const [key, record] of this.storage.checkpoints) {
          if (record.thread === draft.thread && !read.has(key)) this.storage.checkpoints.delete(key);
        }
        this.commitNow(draft);
      }
    },
  ),
  defect(
    "concurrency.parent-and-child-at-once",
    "counts on a parent that is still on its way",
    "The parent is known to this process, so its values need not be stored again.",
    class extends ChannelSaver {
      private readonly known = new Set<string>();
      protected override async commit(draft: Draft): Promise<void> {
        this.known.add(draft.id);
        if (draft.parent === undefined) await this.reach();
        await super.commit(draft);
      }
      protected override carries(draft: Draft, parent: CheckpointRecord | undefined, channel: string) {
        const counted = parent === undefined && this.known.has(draft.parent ?? "");
        return counted && !draft.changed.has(channel) ? "parent" : super.carries(draft, parent, channel);
      }
    },
  ),
  defect(
    "concurrency.same-batch-twice",
    "looks first and inserts then",
    "SELECT what is there, INSERT the rest: two at once insert the same, and one violates the key.",
    class extends SnapshotSaver {
      protected override async commitWrites(place: Place, batch: WriteRecord[]): Promise<void> {
        await this.reach();
        const there = new Set(this.entriesOf(place).keys());
        await this.reach();
        const isNew = batch.filter(({ task, idx }) => !there.has(this.key(task, String(idx))));
        if (isNew.some(({ task, idx }) => this.entriesOf(place).has(this.key(task, String(idx))))) {
          throw new Error("duplicate key");
        }
        this.commitWritesNow(place, batch);
      }
    },
  ),
  defect(
    "concurrency.many-tasks",
    "keeps a checkpoint's writes in one document",
    "It is read, added to and written back: of two tasks at once, one is lost.",
    class extends SnapshotSaver {
      protected override async commitWrites(place: Place, batch: WriteRecord[]): Promise<void> {
        await this.reach();
        const read = new Map(this.entriesOf(place));
        await this.reach();
        const entries = this.entriesOf(place);
        entries.clear();
        for (const [key, write] of read) entries.set(key, write);
        this.commitWritesNow(place, batch);
      }
    },
  ),
  defect(
    "concurrency.one-tasks-batches",
    "keeps a task's writes in one document",
    "One document per task is atomic, but it is read, added to and written back.",
    class extends SnapshotSaver {
      protected override async commitWrites(place: Place, batch: WriteRecord[]): Promise<void> {
        await this.reach();
        const task = batch[0]?.task;
        const own = [...this.entriesOf(place)].filter(([, write]) => write.task === task);
        await this.reach();
        const entries = this.entriesOf(place);
        for (const [key, write] of entries) if (write.task === task) entries.delete(key);
        for (const [key, write] of own) entries.set(key, write);
        this.commitWritesNow(place, batch);
      }
    },
  ),
  defect(
    "concurrency.batches-do-not-mix",
    "stores a batch write by write",
    "A statement for each write, without a transaction, and last first for good measure.",
    class extends SnapshotSaver {
      private turn = 0;
      protected override async commitWrites(place: Place, batch: WriteRecord[]): Promise<void> {
        this.turn += 1;
        const ordered = this.turn % 2 === 0 ? batch.toReversed() : batch;
        for (const write of ordered) {
          await this.reach();
          this.commitWritesNow(place, [write]);
        }
      }
    },
  ),
  defect(
    "concurrency.batch-all-or-nothing",
    "stores a batch in parts of 25",
    "BatchWriteItem of DynamoDB takes 25 items.",
    class extends SnapshotSaver {
      protected override async commitWrites(place: Place, batch: WriteRecord[]): Promise<void> {
        for (let at = 0; at < batch.length; at += 25) {
          await this.reach();
          this.commitWritesNow(place, batch.slice(at, at + 25));
        }
      }
    },
  ),
  defect(
    "concurrency.deletions-at-once",
    "fails when what it deletes is gone",
    "The list of what to delete is read first; then each is deleted, and must be there.",
    class extends SnapshotSaver {
      override async deleteThread(threadId: string): Promise<void> {
        await this.reach();
        const doomed = [...this.storage.checkpoints].filter(([, record]) => record.thread === threadId);
        await this.reach();
        for (const [key] of doomed) if (!this.storage.checkpoints.delete(key)) throw new Error("not found");
        this.forget(threadId);
      }
    },
  ),
  defect(
    "concurrency.no-half-deleted-read",
    "deletes writes first, then checkpoints",
    "Two statements without a transaction: between them every checkpoint looks whole and has no writes.",
    class extends SnapshotSaver {
      override async deleteThread(threadId: string): Promise<void> {
        await this.reach();
        for (const [key, { thread }] of this.storage.writes) {
          if (thread === threadId) this.storage.writes.delete(key);
        }
        for (let turn = 0; turn < 5; turn += 1) await this.reach();
        this.forget(threadId);
      }
    },
  ),
  defect(
    "concurrency.delete-beside-put",
    "deletes values after their checkpoints",
    "A put in between refers to values that are about to go.",
    class extends ContentSaver {
      override async deleteThread(threadId: string): Promise<void> {
        await this.reach();
        const values = this.storage.values.get(threadId);
        this.forget(threadId);
        if (values) this.storage.values.set(threadId, values);
        for (let turn = 0; turn < 3; turn += 1) await this.reach();
        this.storage.values.delete(threadId);
      }
    },
  ),
  defect(
    "concurrency.many-threads",
    "keeps the current thread in a field",
    "`this.thread = …` at the start of a call, and an await before it is used.",
    class extends SnapshotSaver {
      private current = "";
      protected override async commit(draft: Draft): Promise<void> {
        this.current = draft.thread;
        await this.reach();
        this.commitNow({ ...draft, thread: this.current });
      }
    },
  ),
  defect(
    "concurrency.many-subgraphs",
    "keeps the current namespace in a field",
    "`this.namespace = …` at the start of a call, and an await before it is used.",
    class extends SnapshotSaver {
      private current = "";
      protected override async commit(draft: Draft): Promise<void> {
        this.current = draft.namespace;
        await this.reach();
        this.commitNow({ ...draft, namespace: this.current });
      }
    },
  ),
];
