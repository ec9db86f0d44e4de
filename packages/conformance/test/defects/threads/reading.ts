import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";

import type { HistoryPoint } from "../../../src/index.js";
import { SnapshotSaver } from "../../savers/architectures.js";
import type { CheckpointRecord } from "../../savers/storage.js";
import { defect, type Defect } from "../defect.js";

export const readingThreadsDefects: Defect[] = [
  defect(
    "getAtOrBefore.by-id",
    "knows exact ids only",
    "It is getTuple with another name.",
    class extends SnapshotSaver {
      protected override async isAtOrBefore(record: CheckpointRecord, point: HistoryPoint): Promise<boolean> {
        return point.checkpointId === undefined
          ? super.isAtOrBefore(record, point)
          : record.id === point.checkpointId;
      }
    },
  ),
  defect(
    "getAtOrBefore.by-step",
    "knows exact steps only",
    "A filter on the metadata.",
    class extends SnapshotSaver {
      protected override async isAtOrBefore(record: CheckpointRecord, point: HistoryPoint): Promise<boolean> {
        if (point.step === undefined) return super.isAtOrBefore(record, point);
        return (await this.metadataOf(record))["step"] === point.step;
      }
    },
  ),
  defect(
    "getAtOrBefore.by-time",
    "goes by the time inside the checkpoint",
    "A copy, an import or a clock of another machine has made it.",
    class extends SnapshotSaver {
      protected override async isAtOrBefore(record: CheckpointRecord, point: HistoryPoint): Promise<boolean> {
        if (point.time === undefined) return super.isAtOrBefore(record, point);
        return Date.parse(record.skeleton.ts) <= this.readTime(point.time);
      }
    },
  ),
  defect(
    "getAtOrBefore.in-a-namespace",
    "looks at the whole thread",
    "The namespace is left out of the query.",
    class extends SnapshotSaver {
      protected override recordsOf(thread: string): CheckpointRecord[] {
        return super.recordsOf(thread).map((record) => ({ ...record, namespace: "" }));
      }
    },
  ),
  defect(
    "getAtOrBefore.whole-tuple",
    "leaves out the pending writes",
    "They are in another table.",
    class extends SnapshotSaver {
      override async getAtOrBefore(threadId: string, point: HistoryPoint) {
        const tuple = await super.getAtOrBefore(threadId, point);
        return tuple && ({ ...tuple, pendingWrites: [] } as CheckpointTuple);
      }
    },
  ),
  defect(
    "getAtOrBefore.bad-input",
    "takes what it is given",
    "Undefined is not greater than anything.",
    class extends SnapshotSaver {
      protected override checkPoint(): void {}
    },
  ),
  defect(
    "verify.intact",
    "verifies the newest of each thread",
    "If that one can be read, the rest will do.",
    class extends SnapshotSaver {
      override async verify(threadId?: string) {
        const { problems } = await super.verify(threadId);
        const threads = this.threads().filter((id) => threadId === undefined || id === threadId);
        return { intact: threads.length, problems };
      }
    },
  ),
  defect(
    "verify.changes-nothing",
    "tidies up on its way",
    "Writes of checkpoints that are done are of no use.",
    class extends SnapshotSaver {
      override async verify(threadId?: string) {
        const report = await super.verify(threadId);
        this.storage.writes.clear();
        return report;
      }
    },
  ),
  defect(
    "verify.bad-input",
    "verifies a thread called [object Object]",
    "text(threadId) in the key.",
    class extends SnapshotSaver {
      override verify(threadId?: string) {
        return super.verify(threadId === undefined ? undefined : text(threadId));
      }
    },
  ),
];

/** What a saver makes of an id that it does not check. */
function text(id: unknown): string {
  return String(id);
}
