import { isDeepStrictEqual } from "node:util";
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  TASKS,
  WRITES_IDX_MAP,
  maxChannelVersion,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  type DeltaChannelHistory,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";

import { SaverFailure, SaverGround } from "./saver-ground.js";
import type { CheckpointRecord, Place, Stored, WriteRecord } from "./storage.js";

/** A checkpoint on its way into the storage, all of it serialised. */
export interface Draft extends Place {
  parent: string | undefined;
  skeleton: CheckpointRecord["skeleton"];
  metadata: Stored;
  values: Map<string, Stored>;
  changed: Set<string>;
}

/** A checkpoint on its way out: everything that belongs to it, read in one step. */
export interface Loaded {
  record: CheckpointRecord;
  values: Map<string, Stored>;
  writes: WriteRecord[];
  sends: WriteRecord[];
}

export interface Query {
  thread: string | undefined;
  namespace: string | undefined;
  id: string | undefined;
  before: string | undefined;
}

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The contract over plain maps, in small steps that a defect can replace one by one. How a value is stored is left to
 * the architectures below it.
 */
export abstract class MapSaver extends SaverGround {
  /** Remembers a value for a checkpoint and returns the reference to it. */
  protected abstract keep(draft: Draft, channel: string, value: Stored): unknown;

  /** The value behind a reference, or nothing where it is gone. */
  protected abstract recall(record: CheckpointRecord, channel: string, ref: unknown): Stored | undefined;

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread, namespace, id } = this.placeOf(config);
    if (thread === undefined) return undefined;
    await this.reach();
    const record =
      id === undefined
        ? this.latest(thread, namespace ?? "")
        : this.storage.checkpoints.get(this.key(thread, namespace ?? "", id));
    return record && this.tuple(this.load(record));
  }

  async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { limit = Infinity, filter = {}, before } = options;
    const query = { ...this.placeOf(config), before: before && this.placeOf(before).id };
    await this.reach();
    const loaded = [...this.storage.checkpoints.values()]
      .filter((record) => this.selects(query, record))
      .toSorted((a, b) => this.compareIds(b.id, a.id))
      .map((record) => this.load(record));
    let left = limit;
    for (const each of loaded) {
      if (left <= 0) return;
      const tuple = await this.tuple(each);
      if (!this.matches(tuple.metadata as Record<string, unknown>, filter)) continue;
      left -= 1;
      yield tuple;
    }
  }

  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { thread, namespace, id: parent } = this.placeToWrite(config);
    this.checkId("checkpoint.id", checkpoint.id);
    const { channel_values: values, ...rest } = checkpoint;
    const draft: Omit<Draft, "metadata" | "values"> = {
      thread,
      namespace,
      id: checkpoint.id,
      parent,
      skeleton: structuredClone(rest),
      changed: new Set(Object.keys(newVersions)),
    };
    const started = Object.entries(values).map(([channel, value]) => this.serialise(channel, value));
    const startedMetadata = this.serialise("metadata", this.metadataFor(config, metadata));
    const [stored, storedMetadata] = await Promise.all([Promise.all(started), startedMetadata]);
    const channels = Object.keys(values);
    await this.commit({
      ...draft,
      metadata: storedMetadata,
      values: new Map(stored.map((each, at) => [channels[at]!, each])),
    });
    return this.configOf(draft);
  }

  async putWrites(config: RunnableConfig, writes: PendingWrite[], task: string, path = ""): Promise<void> {
    const { thread, namespace, id } = this.placeToWrite(config);
    if (id === undefined) throw new SaverFailure("NO_ID", "putWrites needs configurable.checkpoint_id");
    this.checkId("taskId", task);
    const channels = writes.map(([channel]) => channel);
    const values = await Promise.all(writes.map(([channel, value]) => this.serialise(channel, value)));
    const batch = values.map((value, at) =>
      this.writeRecord({ task, path, channel: channels[at]!, value }, at),
    );
    await this.commitWrites({ thread, namespace, id }, batch);
  }

  async deleteThread(threadId: string): Promise<void> {
    const thread = this.threadId(threadId);
    await this.reach();
    this.forget(thread);
  }

  override async getDeltaChannelHistory(options: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>> {
    const { thread, namespace, id } = this.placeOf(options.config);
    await this.reach();
    const target =
      thread === undefined
        ? undefined
        : id === undefined
          ? this.latest(thread, namespace ?? "")
          : this.storage.checkpoints.get(this.key(thread, namespace ?? "", id));
    const chain = (target ? this.ancestors(target) : []).map((record) => this.load(record));
    const histories = await Promise.all(
      options.channels.map(async (channel) => [channel, await this.history(chain, channel)] as const),
    );
    return Object.fromEntries(histories);
  }

  protected async commit(draft: Draft): Promise<void> {
    await this.reach();
    this.commitNow(draft);
  }

  /** Without an `await`: every reader sees all of it or nothing. */
  protected commitNow(draft: Draft): void {
    const { thread, namespace, id } = draft;
    const key = this.key(thread, namespace, id);
    const before = this.storage.checkpoints.get(key);
    const parent = this.carrier(draft);
    const refs = new Map<string, unknown>();
    for (const [channel, value] of draft.values) {
      const carried = this.carries(draft, parent, channel);
      if (carried === "parent") {
        if (parent?.refs.has(channel)) refs.set(channel, parent.refs.get(channel));
      } else if (carried === "passed") refs.set(channel, this.keep(draft, channel, value));
    }
    this.storage.checkpoints.set(key, {
      thread,
      namespace,
      id,
      refs,
      at: this.now(),
      parent: this.parentOf(draft, before),
      skeleton: draft.skeleton,
      metadata: draft.metadata,
    });
  }

  protected now(): number {
    return Date.now();
  }

  /** The checkpoint whose values a channel keeps. */
  protected carrier({ thread, namespace, parent }: Draft): CheckpointRecord | undefined {
    return parent === undefined
      ? undefined
      : this.storage.checkpoints.get(this.key(thread, namespace, parent));
  }

  protected parentOf({ id, parent }: Draft, before: CheckpointRecord | undefined): string | undefined {
    return parent === id ? before?.parent : parent;
  }

  /** Where the value of a channel comes from: the call, the parent, or nowhere. */
  protected carries(
    { skeleton, changed, parent: parentId }: Draft,
    parent: CheckpointRecord | undefined,
    channel: string,
  ): "passed" | "parent" | "nowhere" {
    if (!Object.hasOwn(skeleton.channel_versions, channel) || changed.has(channel)) return "passed";
    if (parentId === undefined) return "nowhere";
    const version = skeleton.channel_versions[channel];
    const same = parent !== undefined && own(parent.skeleton.channel_versions, channel) === version;
    return same ? "parent" : "passed";
  }

  protected writeRecord(write: Omit<WriteRecord, "idx">, position: number): WriteRecord {
    return { ...write, idx: own(WRITES_IDX_MAP, write.channel) ?? position };
  }

  protected async commitWrites(place: Place, batch: WriteRecord[]): Promise<void> {
    await this.reach();
    this.commitWritesNow(place, batch);
  }

  protected commitWritesNow(place: Place, batch: WriteRecord[]): void {
    const entries = this.entriesOf(place);
    const there = new Set(entries.keys());
    for (const write of batch) {
      const key = this.key(write.task, String(write.idx));
      if (this.wins(write, there.has(key))) entries.set(key, write);
    }
  }

  protected entriesOf({ thread, namespace, id }: Place): Map<string, WriteRecord> {
    const key = this.key(thread, namespace, id);
    const found = this.storage.writes.get(key) ?? { thread, namespace, id, entries: new Map() };
    this.storage.writes.set(key, found);
    return found.entries;
  }

  /** Whether a write is stored although one with its key is, or is not, there. */
  protected wins(write: WriteRecord, isThere: boolean): boolean {
    return write.idx < 0 || !isThere;
  }

  protected writesOf({ thread, namespace, id }: Place): WriteRecord[] {
    const found = this.storage.writes.get(this.key(thread, namespace, id));
    return [...(found?.entries.values() ?? [])].toSorted((a, b) => this.compareWrites(a, b));
  }

  protected compareWrites(a: WriteRecord, b: WriteRecord): number {
    return byText(a.path, b.path) || byText(a.task, b.task) || a.idx - b.idx;
  }

  protected compareIds(a: string, b: string): number {
    return byText(a, b);
  }

  protected latest(thread: string, namespace: string): CheckpointRecord | undefined {
    return [...this.storage.checkpoints.values()]
      .filter((record) => record.thread === thread && this.inNamespace(record, namespace))
      .toSorted((a, b) => this.compareIds(b.id, a.id))[0];
  }

  protected inNamespace(record: CheckpointRecord, namespace: string): boolean {
    return record.namespace === namespace;
  }

  protected selects(query: Partial<Query>, record: CheckpointRecord): boolean {
    return (
      (query.thread === undefined || record.thread === query.thread) &&
      (query.namespace === undefined || this.inNamespace(record, query.namespace)) &&
      (query.id === undefined || record.id === query.id) &&
      (query.before === undefined || this.compareIds(record.id, query.before) < 0)
    );
  }

  protected matches(metadata: Record<string, unknown>, filter: Record<string, unknown>): boolean {
    return Object.entries(filter).every(
      ([key, wanted]) => Object.hasOwn(metadata, key) && isDeepStrictEqual(metadata[key], wanted),
    );
  }

  /** All that a tuple is made of, in one step: what happens to the storage later does not reach it. */
  protected load(record: CheckpointRecord): Loaded {
    const values = new Map<string, Stored>();
    for (const [channel, ref] of record.refs) {
      const value = this.recall(record, channel, ref);
      if (value === undefined) throw this.damaged(record);
      values.set(channel, value);
    }
    return { record, values, writes: this.writesOf(record), sends: this.sendsOf(record) };
  }

  protected sendsOf(record: CheckpointRecord): WriteRecord[] {
    if (record.skeleton.v >= 4 || record.parent === undefined) return [];
    return this.writesOf({ ...record, id: record.parent }).filter((write) => write.channel === TASKS);
  }

  protected async tuple({ record, values, writes, sends }: Loaded): Promise<CheckpointTuple> {
    const channels = await Promise.all(
      [...values].map(async ([channel, value]) => [channel, await this.deserialise(record, value)] as const),
    );
    const checkpoint: Checkpoint = {
      ...structuredClone(record.skeleton),
      channel_values: Object.fromEntries(channels),
    };
    if (record.skeleton.v < 4 && record.parent !== undefined) {
      const versions = Object.values(checkpoint.channel_versions);
      checkpoint.channel_values[TASKS] = await Promise.all(
        sends.map((send) => this.deserialise(record, send.value)),
      );
      if (versions.length > 0) checkpoint.channel_versions[TASKS] = this.greatest(versions);
    }
    const tuple: CheckpointTuple = {
      config: this.configOf(record),
      checkpoint,
      metadata: (await this.deserialise(record, record.metadata)) as CheckpointMetadata,
      pendingWrites: await Promise.all(writes.map((write) => this.pending(record, write))),
    };
    if (record.parent !== undefined) tuple.parentConfig = this.configOf({ ...record, id: record.parent });
    return tuple;
  }

  protected greatest(versions: (string | number)[]): string | number {
    return maxChannelVersion(...versions);
  }

  protected async pending(record: Place, write: WriteRecord): Promise<CheckpointPendingWrite> {
    return [write.task, write.channel, await this.deserialise(record, write.value)];
  }

  protected ancestors(target: CheckpointRecord): CheckpointRecord[] {
    const chain: CheckpointRecord[] = [];
    const visited = new Set([target.id]);
    let id = target.parent;
    while (id !== undefined && !visited.has(id)) {
      visited.add(id);
      const record = this.storage.checkpoints.get(this.key(target.thread, target.namespace, id));
      if (record === undefined) break;
      chain.push(record);
      id = record.parent;
    }
    return chain;
  }

  protected async history(chain: Loaded[], channel: string): Promise<DeltaChannelHistory> {
    const history: DeltaChannelHistory = { writes: [] };
    for (const { record, values, writes } of chain) {
      const updates = writes.filter((write) => write.channel === channel);
      history.writes.unshift(...(await Promise.all(updates.map((write) => this.pending(record, write)))));
      const seed = values.get(channel);
      if (seed !== undefined) {
        history.seed = await this.deserialise(record, seed);
        break;
      }
    }
    return history;
  }

  protected forget(thread: string): void {
    for (const [key, record] of this.storage.checkpoints) {
      if (this.isOf(thread, record)) this.storage.checkpoints.delete(key);
    }
    for (const [key, record] of this.storage.writes) {
      if (this.isOf(thread, record)) this.storage.writes.delete(key);
    }
    this.storage.values.delete(thread);
  }

  protected isOf(thread: string, record: Place): boolean {
    return record.thread === thread;
  }
}

function own<T>(of: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(of, key) ? of[key] : undefined;
}
