import type { RunnableConfig } from "@langchain/core/runnables";
import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { ChannelSaver, SnapshotSaver } from "../savers/architectures.js";
import type { Draft, Loaded, MapSaver } from "../savers/map-saver.js";
import type { CheckpointRecord, Place, Stored, WriteRecord } from "../savers/storage.js";
import { defect, type Defect } from "./defect.js";
import { TrustsItsCache } from "./deletion.js";

export const restartDefects: Defect[] = [
  defect(
    "reopen.everything-is-there",
    "keeps metadata in memory",
    "An index for filters that is never written.",
    class extends SnapshotSaver {
      private readonly index = new Map<string, Stored>();
      protected override commitNow(draft: Draft): void {
        this.index.set(this.key(draft.thread, draft.namespace, draft.id), draft.metadata);
        super.commitNow({ ...draft, metadata: super.dump({}, "metadata") });
      }
      protected override tuple(loaded: Loaded): Promise<CheckpointTuple> {
        const { record } = loaded;
        const metadata =
          this.index.get(this.key(record.thread, record.namespace, record.id)) ?? record.metadata;
        return super.tuple({ ...loaded, record: { ...record, metadata } });
      }
    },
  ),
  defect(
    "reopen.put-is-seen",
    "reads a checkpoint from memory once it has seen it",
    "Checkpoints do not change, so there is no need to look again; but their writes do.",
    class extends SnapshotSaver {
      private readonly cache = new Map<string, Loaded>();
      protected override load(record: CheckpointRecord): Loaded {
        const key = this.key(record.thread, record.namespace, record.id);
        const loaded = this.cache.get(key) ?? super.load(record);
        this.cache.set(key, loaded);
        return loaded;
      }
      protected override commitWritesNow(place: Place, batch: WriteRecord[]): void {
        super.commitWritesNow(place, batch);
        this.cache.delete(this.key(place.thread, place.namespace, place.id));
      }
    },
  ),
  defect(
    "reopen.latest-is-followed",
    "remembers the latest checkpoint of a thread",
    "It was the one that put it; another process was not thought of.",
    class extends SnapshotSaver {
      private readonly heads = new Map<string, CheckpointRecord>();
      protected override latest(thread: string, namespace: string): CheckpointRecord | undefined {
        const head = this.heads.get(this.key(thread, namespace)) ?? super.latest(thread, namespace);
        if (head) this.heads.set(this.key(thread, namespace), head);
        return head;
      }
      protected override commitNow(draft: Draft): void {
        super.commitNow(draft);
        this.heads.delete(this.key(draft.thread, draft.namespace));
      }
    },
  ),
  defect(
    "reopen.goes-on-from-it",
    "carries values from memory",
    "The parent is always the checkpoint that was just put, so it is at hand.",
    class extends SnapshotSaver {
      private readonly mine = new Set<string>();
      protected override commitNow(draft: Draft): void {
        super.commitNow(draft);
        this.mine.add(draft.id);
      }
      protected override carries(draft: Draft, parent: CheckpointRecord | undefined, channel: string) {
        const known = draft.parent === undefined || this.mine.has(draft.parent);
        return super.carries(draft, known ? parent : undefined, channel);
      }
    },
  ),
  defect(
    "reopen.writes-before-their-put",
    "holds early writes in memory",
    "Until their checkpoint lands there is nothing to attach them to.",
    class extends SnapshotSaver {
      private readonly early = new Map<string, WriteRecord[]>();
      protected override commitWritesNow(place: Place, batch: WriteRecord[]): void {
        const key = this.key(place.thread, place.namespace, place.id);
        if (this.storage.checkpoints.has(key)) super.commitWritesNow(place, batch);
        else this.early.set(key, [...(this.early.get(key) ?? []), ...batch]);
      }
      protected override commitNow(draft: Draft): void {
        super.commitNow(draft);
        super.commitWritesNow(draft, this.early.get(this.key(draft.thread, draft.namespace, draft.id)) ?? []);
      }
    },
  ),
  defect(
    "reopen.first-write-still-wins",
    "remembers in memory which writes are there",
    "A set of keys saves a read before each write.",
    class extends SnapshotSaver {
      private readonly seen = new Set<string>();
      protected override commitWritesNow(place: Place, batch: WriteRecord[]): void {
        const entries = this.entriesOf(place);
        for (const write of batch) {
          const key = this.key(write.task, String(write.idx));
          const global = this.key(place.thread, place.namespace, place.id, key);
          if (this.wins(write, this.seen.has(global))) entries.set(key, write);
          this.seen.add(global);
        }
      }
    },
  ),
  defect(
    "reopen.deleted-stays-deleted",
    "deletes from memory",
    "Readers skip what is on a list of deleted threads, and the list is not stored.",
    class extends SnapshotSaver {
      private readonly deleted = new Set<string>();
      protected override forget(thread: string): void {
        this.deleted.add(thread);
      }
      protected override latest(thread: string, namespace: string): CheckpointRecord | undefined {
        return this.deleted.has(thread) ? undefined : super.latest(thread, namespace);
      }
    },
  ),
  defect(
    "reopen.deletion-is-seen",
    "believes that values are stored which another process has deleted",
    "A cache of known hashes without an expiry.",
    class extends TrustsItsCache {
      protected override forget(thread: string): void {
        super.forget(thread);
        this.known.clear();
      }
    },
  ),
  defect(
    "reopen.two-writers",
    "writes a thread back from memory",
    "The thread is loaded once, and its document is replaced with every change.",
    class extends SnapshotSaver {
      private mine: Map<string, CheckpointRecord> | undefined;
      protected override commitNow(draft: Draft): void {
        this.mine ??= new Map(this.storage.checkpoints);
        super.commitNow(draft);
        const key = this.key(draft.thread, draft.namespace, draft.id);
        this.mine.set(key, this.storage.checkpoints.get(key)!);
        this.storage.checkpoints.clear();
        for (const [each, record] of this.mine) this.storage.checkpoints.set(each, record);
      }
    },
  ),
  defect(
    "concurrency.two-savers",
    "numbers its values itself",
    "A counter that begins at 0 in every process.",
    class extends ChannelSaver {
      private count = 0;
      protected override valueKey(): string {
        this.count += 1;
        return String(this.count);
      }
      protected override keep(_draft: Draft, _channel: string, value: Stored): unknown {
        const ref = this.valueKey();
        this.storage.valuesOf("all").set(ref, value);
        return ref;
      }
      protected override recall(
        _record: CheckpointRecord,
        _channel: string,
        ref: unknown,
      ): Stored | undefined {
        return this.storage.valuesOf("all").get(ref as string);
      }
    },
  ),
  defect(
    "timeTravel.many-runs",
    "starts a thread anew in every process",
    "A thread is what this process has seen of it.",
    class extends SnapshotSaver {
      private readonly seen = new Set<string>();
      override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
        const tuple = await super.getTuple(config);
        return tuple && this.seen.has(tuple.checkpoint.id) ? tuple : undefined;
      }
      override async put(...args: Parameters<MapSaver["put"]>): Promise<RunnableConfig> {
        this.seen.add(args[1].id);
        return super.put(...args);
      }
    },
  ),
];
