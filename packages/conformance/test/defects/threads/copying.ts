import type { ThreadOperations } from "../../../src/index.js";
import { ContentSaver, SnapshotSaver } from "../../savers/architectures.js";
import { SaverFailure } from "../../savers/saver-ground.js";
import type { CheckpointRecord, Stored } from "../../savers/storage.js";
import { defect, type Defect } from "../defect.js";

type CopyArguments = Parameters<ThreadOperations["copyThread"]>;

interface Borrowed {
  thread: string;
  hash: string;
}

/** Stores a value once, and lets copies refer to it where it is. */
export class BorrowsFromItsSource extends ContentSaver {
  protected override copyRecord(
    record: CheckpointRecord,
    target: string,
    changes: Partial<CheckpointRecord> = {},
  ): void {
    super.copyRecord(record, target, changes);
    const copy = this.storage.checkpoints.get(this.key(target, record.namespace, record.id))!;
    for (const [channel, hash] of record.refs) copy.refs.set(channel, { thread: record.thread, hash });
    this.storage.valuesOf(target).clear();
  }
  protected override recall(record: CheckpointRecord, channel: string, ref: unknown): Stored | undefined {
    if (typeof ref !== "object") return super.recall(record, channel, ref);
    const { thread, hash } = ref as Borrowed;
    return this.storage.valuesOf(thread).get(hash);
  }
}

export const copyingDefects: Defect[] = [
  defect(
    "copyThread.every-checkpoint",
    "copies the newest checkpoint of each namespace",
    "That is all that a graph needs to go on.",
    class extends SnapshotSaver {
      protected override toCopy(source: string): CheckpointRecord[] {
        const records = super.toCopy(source);
        return this.namespacesOf(records).map((namespace) => this.latest(source, namespace)!);
      }
    },
  ),
  defect(
    "copyThread.values",
    "leaves large values behind",
    "They are in a bucket of their own, by thread.",
    class extends SnapshotSaver {
      protected override valuesToCopy(record: CheckpointRecord): Map<string, Stored> {
        return new Map([...super.valuesToCopy(record)].filter(([, [, data]]) => data.length < 10_000));
      }
    },
  ),
  defect(
    "copyThread.metadata",
    "writes metadata of its own",
    "The copies are put, and a put has a source and a step.",
    class extends SnapshotSaver {
      override async copyThread(...[source, target, options]: CopyArguments) {
        const result = await super.copyThread(source, target, options);
        for (const record of this.recordsOf(target)) {
          const { step, source: from } = await this.metadataOf(record);
          record.metadata = await this.serialise("metadata", { step, source: from, parents: {} });
        }
        return result;
      }
    },
  ),
  defect(
    "copyThread.namespaces",
    "copies the root namespace",
    "The list of the thread was asked for with an empty namespace.",
    class extends SnapshotSaver {
      protected override toCopy(source: string): CheckpointRecord[] {
        return super.toCopy(source).filter(({ namespace }) => namespace === "");
      }
    },
  ),
  defect(
    "copyThread.parents",
    "forgets the parents",
    "Each is put by itself, without a config that names one.",
    class extends SnapshotSaver {
      protected override copyRecord(record: CheckpointRecord, target: string): void {
        super.copyRecord(record, target, { parent: undefined });
      }
    },
  ),
  defect(
    "copyThread.writes",
    "leaves the writes behind",
    "INSERT INTO checkpoints SELECT …, and nothing for the other table.",
    class extends SnapshotSaver {
      protected override copyWrites(): void {}
    },
  ),
  defect(
    "copyThread.source-stays",
    "moves the thread",
    "UPDATE … SET thread_id.",
    class extends SnapshotSaver {
      override async copyThread(...[source, target, options]: CopyArguments) {
        const result = await super.copyThread(source, target, options);
        this.forget(source);
        return result;
      }
    },
  ),
  defect(
    "copyThread.independent",
    "refers to the values of the source",
    "No need to store them twice.",
    BorrowsFromItsSource,
  ),
  defect(
    "copyThread.missing-source",
    "copies nothing, and says so",
    "Nothing was there, nothing was done.",
    class extends SnapshotSaver {
      override async copyThread(...[source, target, options]: CopyArguments) {
        if (typeof source === "string" && !this.hasThread(source)) return { checkpoints: 0 };
        return super.copyThread(source, target, options);
      }
    },
  ),
  defect(
    "copyThread.existing-target",
    "adds to whatever is there",
    "INSERT OR REPLACE.",
    class extends SnapshotSaver {
      override copyThread(...[source, target, options]: CopyArguments) {
        return super.copyThread(source, target, { ifExists: "merge", ...options });
      }
    },
  ),
  defect(
    "copyThread.errors-tell-apart",
    "has one code for everything",
    "It failed, and no more is to be said.",
    class extends SnapshotSaver {
      protected override notFound(): SaverFailure {
        return new SaverFailure("COPY_FAILED", "the source is not there");
      }
      protected override alreadyThere(): SaverFailure {
        return new SaverFailure("COPY_FAILED", "the target is there already");
      }
    },
  ),
  defect(
    "copyThread.merge",
    "deletes the target before it merges",
    "A clean start is the simplest merge.",
    class extends SnapshotSaver {
      override copyThread(...[source, target, options]: CopyArguments) {
        const replaces = options?.ifExists === "merge" ? ({ ifExists: "replace" } as const) : options;
        return super.copyThread(source, target, replaces);
      }
    },
  ),
  defect(
    "copyThread.replace",
    "replaces checkpoint by checkpoint",
    "What has no counterpart in the source stays.",
    class extends SnapshotSaver {
      override copyThread(...[source, target, options]: CopyArguments) {
        const merges = options?.ifExists === "replace" ? ({ ifExists: "merge" } as const) : options;
        return super.copyThread(source, target, merges);
      }
    },
  ),
  defect(
    "copyThread.bad-input",
    "copies a thread onto itself",
    "With replace, it deletes the target first.",
    class extends SnapshotSaver {
      protected override checkCopy(): void {}
    },
  ),
  defect(
    "copyThread.beside-a-deletion",
    "copies the records first and the values after them",
    "Two statements, no transaction.",
    class extends ContentSaver {
      override async copyThread(source: string, target: string) {
        await this.reach();
        const records = this.toCopy(source);
        for (const record of records)
          this.storage.checkpoints.set(this.key(target, record.namespace, record.id), {
            ...record,
            thread: target,
          });
        await this.reach();
        for (const [hash, value] of this.storage.valuesOf(source))
          this.storage.valuesOf(target).set(hash, value);
        return { checkpoints: records.length };
      }
    },
  ),
];
