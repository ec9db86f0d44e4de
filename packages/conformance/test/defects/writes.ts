import { ERROR, INTERRUPT, WRITES_IDX_MAP } from "@langchain/langgraph-checkpoint";

import { SnapshotSaver } from "../savers/architectures.js";
import { byText, type Draft, type MapSaver } from "../savers/map-saver.js";
import type { Place, Stored, WriteRecord } from "../savers/storage.js";
import { defect, type Defect } from "./defect.js";

export const writeDefects: Defect[] = [
  defect(
    "putWrites.before-the-put",
    "refuses writes of a checkpoint that is not there",
    "A foreign key from writes to checkpoints.",
    class extends SnapshotSaver {
      protected override commitWritesNow(place: Place, batch: WriteRecord[]): void {
        const key = this.key(place.thread, place.namespace, place.id);
        if (!this.storage.checkpoints.has(key)) throw new Error("foreign key constraint failed");
        super.commitWritesNow(place, batch);
      }
    },
  ),
  defect(
    "concurrency.writes-beside-their-put",
    "drops early writes when their checkpoint lands",
    "Writes live inside the checkpoint's document, and put writes the document whole.",
    class extends SnapshotSaver {
      protected override commitNow(...[draft]: Parameters<SnapshotSaver["commitNow"]>): void {
        const key = this.key(draft.thread, draft.namespace, draft.id);
        this.storage.writes.delete(key);
        super.commitNow(draft);
      }
    },
  ),
  defect(
    "putWrites.belong-to-one-checkpoint",
    "leaves the namespace out of the key of writes",
    "Task ids are unique enough.",
    class extends SnapshotSaver {
      protected override entriesOf(place: Place) {
        return super.entriesOf({ ...place, namespace: "" });
      }
      protected override writesOf(place: Place) {
        return super.writesOf({ ...place, namespace: "" });
      }
    },
  ),
  defect(
    "putWrites.regular-first-wins",
    "lets the last write win, always",
    "INSERT OR REPLACE for every write.",
    class extends SnapshotSaver {
      protected override wins(): boolean {
        return true;
      }
    },
  ),
  defect(
    "putWrites.special-last-wins",
    "lets the first write win, always",
    "INSERT OR IGNORE for every write.",
    class extends SnapshotSaver {
      protected override wins(_write: WriteRecord, isThere: boolean): boolean {
        return !isThere;
      }
    },
  ),
  defect(
    "interrupts.two-in-a-node",
    "keeps the first question",
    "Errors and answers are replaced, but an interrupt is taken for a result.",
    class extends SnapshotSaver {
      protected override wins(write: WriteRecord, isThere: boolean): boolean {
        return write.channel === INTERRUPT ? !isThere : super.wins(write, isThere);
      }
    },
  ),
  defect(
    "putWrites.decided-per-write",
    "decides by the batch",
    "As the official SQLite and MongoDB savers: all special, replace; otherwise ignore what is there.",
    class extends SnapshotSaver {
      protected override commitWritesNow(place: Place, batch: WriteRecord[]): void {
        const entries = this.entriesOf(place);
        const replace = batch.every(({ idx }) => idx < 0);
        for (const write of batch) {
          const key = this.key(write.task, String(write.idx));
          if (replace || !entries.has(key)) entries.set(key, write);
        }
      }
    },
  ),
  defect(
    "putWrites.special-beside-regular",
    "skips a batch that begins with what is there",
    "If the first write is there, the task is done and its batch is a replay.",
    class extends SnapshotSaver {
      protected override commitWritesNow(place: Place, batch: WriteRecord[]): void {
        const entries = this.entriesOf(place);
        const [first] = batch;
        if (first && entries.has(this.key(first.task, String(first.idx)))) return;
        super.commitWritesNow(place, batch);
      }
    },
  ),
  defect(
    "putWrites.position-counts-all",
    "counts regular writes only",
    "Special writes have an index of their own, so the counter stands still for them.",
    class extends SnapshotSaver {
      protected override async commitWrites(place: Place, batch: WriteRecord[]): Promise<void> {
        let position = 0;
        await super.commitWrites(
          place,
          batch.map((write) => (write.idx < 0 ? write : { ...write, idx: position++ })),
        );
      }
    },
  ),
  defect(
    "putWrites.channel-twice-in-a-batch",
    "keys writes by task and channel",
    "A task writes a channel once, one would think.",
    class extends SnapshotSaver {
      protected override commitWritesNow(place: Place, batch: WriteRecord[]): void {
        const entries = this.entriesOf(place);
        for (const write of batch) {
          const key = this.key(write.task, write.channel);
          if (this.wins(write, entries.has(key))) entries.set(key, write);
        }
      }
    },
  ),
  defect(
    "parallel.finished-branches-stay",
    "keeps the writes of the last task",
    "One record for the writes of a checkpoint, replaced with every call.",
    class extends SnapshotSaver {
      protected override commitWritesNow(place: Place, batch: WriteRecord[]): void {
        const entries = this.entriesOf(place);
        for (const [key, { task }] of entries) if (task !== batch[0]?.task) entries.delete(key);
        super.commitWritesNow(place, batch);
      }
    },
  ),
  defect(
    "putWrites.same-key-last-wins",
    "fails on the same key twice in a batch",
    "One statement for all rows, which may not touch a row twice.",
    class extends SnapshotSaver {
      protected override commitWritesNow(place: Place, batch: WriteRecord[]): void {
        if (new Set(batch.map(({ idx }) => idx)).size < batch.length) {
          throw new Error("ON CONFLICT DO UPDATE command cannot affect row a second time");
        }
        super.commitWritesNow(place, batch);
      }
    },
  ),
  defect(
    "putWrites.empty-batch",
    "fails on an empty batch",
    "`bulkWrite([])` is an error of the MongoDB driver.",
    class extends SnapshotSaver {
      protected override commitWritesNow(place: Place, batch: WriteRecord[]): void {
        if (batch.length === 0) throw new Error("Invalid BulkOperation, Batch cannot be empty");
        super.commitWritesNow(place, batch);
      }
    },
  ),
  defect(
    "putWrites.hundreds-in-a-batch",
    "stores the first hundred writes of a batch",
    "A transaction of DynamoDB takes 100 items.",
    class extends SnapshotSaver {
      protected override commitWritesNow(place: Place, batch: WriteRecord[]): void {
        super.commitWritesNow(place, batch.slice(0, 100));
      }
    },
  ),
  defect(
    "putWrites.reading-order",
    "returns writes as they came",
    "No ORDER BY: in the demo there is one task.",
    class extends SnapshotSaver {
      protected override compareWrites(): number {
        return 0;
      }
    },
  ),
  defect(
    "deltaHistory.order-in-a-checkpoint",
    "orders idx as text",
    "idx is part of a text key: 10 comes before 2.",
    class extends SnapshotSaver {
      protected override compareWrites(a: WriteRecord, b: WriteRecord): number {
        return byText(a.path, b.path) || byText(a.task, b.task) || byText(String(a.idx), String(b.idx));
      }
    },
  ),
  defect(
    "putWrites.names-of-object-members",
    "looks channels up in a plain object",
    "`channel in WRITES_IDX_MAP`, where a channel may be called constructor.",
    class extends SnapshotSaver {
      protected override wins(write: WriteRecord, isThere: boolean): boolean {
        return write.channel in WRITES_IDX_MAP || !isThere;
      }
    },
  ),
  defect(
    "taskPath.reading-order",
    "does not know of a task path",
    "putWrites had three arguments when it was written.",
    class extends SnapshotSaver {
      override async putWrites(...[config, writes, task]: Parameters<MapSaver["putWrites"]>): Promise<void> {
        await super.putWrites(config, writes, task);
      }
    },
  ),
  defect(
    "interrupts.falsy-answers",
    "does not store what is falsy",
    "`if (!value) continue`, meant for undefined.",
    class extends SnapshotSaver {
      protected override commitNow(draft: Draft): void {
        const isFalsy = ([, [, text]]: [string, Stored]) =>
          ["null", "false", "0", '""'].includes(String(text));
        super.commitNow({ ...draft, values: new Map([...draft.values].filter((each) => !isFalsy(each))) });
      }
    },
  ),
  defect(
    "failures.sibling-not-run-again",
    "clears the step when one of its tasks fails",
    "An error means that the step is to be done again.",
    class extends SnapshotSaver {
      protected override commitWritesNow(place: Place, batch: WriteRecord[]): void {
        if (batch.some(({ channel }) => channel === ERROR)) this.entriesOf(place).clear();
        super.commitWritesNow(place, batch);
      }
    },
  ),
  defect(
    "failures.error-is-shown",
    "does not store errors",
    "Errors belong in the log.",
    class extends SnapshotSaver {
      protected override commitWritesNow(place: Place, batch: WriteRecord[]): void {
        super.commitWritesNow(
          place,
          batch.filter(({ channel }) => channel !== ERROR),
        );
      }
    },
  ),
  defect(
    "interrupts.resume",
    "does not store interrupts",
    "They are events, not state.",
    class extends SnapshotSaver {
      protected override commitWritesNow(place: Place, batch: WriteRecord[]): void {
        super.commitWritesNow(
          place,
          batch.filter(({ channel }) => channel !== INTERRUPT),
        );
      }
    },
  ),
];
