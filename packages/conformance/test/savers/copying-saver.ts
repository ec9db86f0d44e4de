import { randomUUID } from "node:crypto";
import type { RunnableConfig } from "@langchain/core/runnables";
import { maxChannelVersion, uuid6, type CheckpointMetadata } from "@langchain/langgraph-checkpoint";

import type { ThreadOperations } from "../../src/index.js";
import { ListingSaver } from "./listing-saver.js";
import type { Draft } from "./map-saver.js";
import { SaverFailure } from "./saver-ground.js";
import type { CheckpointRecord, Place, Stored } from "./storage.js";

type CopyOptions = Parameters<ThreadOperations["copyThread"]>[2];
type ForkOptions = NonNullable<Parameters<ThreadOperations["fork"]>[1]>;

/** What makes a thread out of another. */
export abstract class CopyingSaver extends ListingSaver {
  async copyThread(
    sourceId: string,
    targetId: string,
    { ifExists = "error" }: CopyOptions = {},
  ): Promise<{ checkpoints: number }> {
    const [source, target] = [this.threadId(sourceId), this.threadId(targetId)];
    this.checkCopy(source, target, ifExists);
    await this.reach();
    if (!this.hasThread(source)) throw this.notFound(source);
    if (ifExists === "error" && this.hasThread(target)) throw this.alreadyThere(target);
    if (ifExists === "replace") this.forget(target);
    const records = this.toCopy(source);
    for (const record of records) this.copyRecord(record, target);
    return { checkpoints: records.length };
  }

  async fork(config: RunnableConfig, options: ForkOptions = {}): Promise<RunnableConfig> {
    const { thread, namespace, id } = this.placeToWrite(config);
    const { edits = {} } = options;
    const target = options.threadId === undefined ? this.newThread() : this.threadId(options.threadId);
    this.checkFork(thread, target, edits);
    const stored = await this.serialiseEdits(edits);
    await this.reach();
    const origin =
      id === undefined
        ? this.latest(thread, namespace)
        : this.storage.checkpoints.get(this.key(thread, namespace, id));
    if (origin === undefined) throw this.notFound(thread);
    if (this.hasThread(target)) throw this.alreadyThere(target);
    await this.copyBranch(origin, target, stored);
    return this.forkConfig(target, namespace);
  }

  protected checkCopy(source: string, target: string, ifExists: string): void {
    if (source === target) throw new SaverFailure("BAD_INPUT", "the target is the source");
    if (!["error", "merge", "replace"].includes(ifExists))
      throw new SaverFailure("BAD_INPUT", "ifExists must be error, merge or replace");
  }

  protected notFound(thread: string): SaverFailure {
    return new SaverFailure("NOT_THERE", `there is nothing to copy in thread ${this.key(thread)}`);
  }

  protected alreadyThere(thread: string): SaverFailure {
    return new SaverFailure("IS_THERE", `thread ${this.key(thread)} is there already`);
  }

  protected toCopy(source: string): CheckpointRecord[] {
    return this.recordsOf(source);
  }

  protected copyRecord(
    record: CheckpointRecord,
    target: string,
    changes: Partial<CheckpointRecord> = {},
  ): void {
    const { namespace, id } = record;
    const draft: Draft = {
      ...record,
      ...changes,
      thread: target,
      values: this.valuesToCopy(record),
      changed: new Set(),
    };
    const refs = new Map(
      [...draft.values].map(([channel, value]) => [channel, this.keep(draft, channel, value)]),
    );
    this.storage.checkpoints.set(this.key(target, namespace, id), {
      ...record,
      ...changes,
      thread: target,
      refs,
    });
    this.copyWrites(record, { thread: target, namespace, id });
  }

  protected valuesToCopy(record: CheckpointRecord): Map<string, Stored> {
    return this.load(record).values;
  }

  protected copyWrites(from: Place, to: Place): void {
    const entries = this.entriesOf(to);
    for (const write of this.writesOf(from)) entries.set(this.key(write.task, String(write.idx)), write);
  }

  protected newThread(): string {
    return randomUUID();
  }

  protected checkFork(thread: string, target: string, edits: unknown): void {
    if (thread === target) throw new SaverFailure("BAD_INPUT", "the new thread is the old one");
    if (typeof edits !== "object" || edits === null || Array.isArray(edits))
      throw new SaverFailure("BAD_INPUT", "edits must be an object of channel values");
  }

  protected async serialiseEdits(edits: Record<string, unknown>): Promise<Map<string, Stored>> {
    const entries = Object.entries(edits).map(
      async ([channel, value]) => [channel, await this.serialise(channel, value)] as const,
    );
    return new Map(await Promise.all(entries));
  }

  protected forkConfig(thread: string, namespace: string): RunnableConfig {
    return { configurable: { thread_id: thread, checkpoint_ns: namespace } };
  }

  /** The checkpoint with what it needs: ancestors of delta channels, the state of its subgraphs. */
  protected async copyBranch(
    origin: CheckpointRecord,
    target: string,
    edits: Map<string, Stored>,
  ): Promise<void> {
    const metadata = await this.metadataOf(origin);
    const ancestors = await this.ancestorsToCopy(origin);
    const roots = new Set([origin, ...ancestors].map(({ id }) => id));
    const below = await this.subgraphsOf(origin, roots);
    const marked = await this.serialise("metadata", this.markOrigin(metadata, origin));
    for (const record of [...below, ...ancestors])
      this.copyRecord(record, target, this.parentIn(record, roots));
    this.copyRecord(origin, target, { ...this.parentIn(origin, roots), metadata: marked });
    if (edits.size > 0) await this.applyEdits(origin, target, metadata, edits);
  }

  protected parentIn({ parent }: CheckpointRecord, copied: Set<string>): Partial<CheckpointRecord> {
    return parent !== undefined && !copied.has(parent) ? { parent: undefined } : {};
  }

  protected markOrigin(metadata: Record<string, unknown>, origin: Place): Record<string, unknown> {
    return { ...metadata, forked_from: this.configOf(origin).configurable };
  }

  protected async ancestorsToCopy(origin: CheckpointRecord): Promise<CheckpointRecord[]> {
    const needed: CheckpointRecord[] = [];
    let child = origin;
    for (const record of this.ancestors(origin)) {
      if (!(await this.needsParent(child))) break;
      needed.push((child = record));
    }
    return needed;
  }

  protected async subgraphsOf(origin: CheckpointRecord, roots: Set<string>): Promise<CheckpointRecord[]> {
    const found: CheckpointRecord[] = [];
    for (const record of this.recordsOf(origin.thread)) {
      if (record.namespace === origin.namespace) continue;
      const parents = (await this.metadataOf(record))["parents"] as Record<string, string> | undefined;
      if (roots.has(parents?.[origin.namespace] ?? "")) found.push(record);
    }
    return found;
  }

  /** Only changes of some channel are in it: LangGraph counts them in the metadata. */
  protected async needsParent(record: CheckpointRecord): Promise<boolean> {
    if (record.parent === undefined) return false;
    const counters = (await this.metadataOf(record))["counters_since_delta_snapshot"] ?? {};
    return record.skeleton.v < 4 || Object.keys(counters).some((channel) => !record.refs.has(channel));
  }

  /** A child of the copy, in which the edited channels have versions that no node has seen. */
  protected async applyEdits(
    origin: CheckpointRecord,
    target: string,
    metadata: Record<string, unknown>,
    edits: Map<string, Stored>,
  ): Promise<void> {
    const { namespace, id, skeleton } = origin;
    const place = { thread: target, namespace, id };
    this.storage.writes.delete(this.key(target, namespace, id));
    const version = this.editVersion(skeleton.channel_versions as Record<string, number>);
    const step = Number(metadata["step"] ?? -1) + 1;
    const source = { ...metadata, source: "fork", step } as unknown as CheckpointMetadata;
    const edited: CheckpointRecord["skeleton"] = {
      ...skeleton,
      id: uuid6(Math.max(0, step)),
      channel_versions: { ...skeleton.channel_versions },
    };
    for (const channel of edits.keys()) edited.channel_versions[channel] = version;
    this.commitNow({
      ...place,
      id: edited.id,
      parent: id,
      skeleton: edited,
      metadata: await this.serialise("metadata", source),
      values: new Map([...this.valuesToCopy(origin), ...edits]),
      changed: new Set(edits.keys()),
    });
  }

  protected editVersion(versions: Record<string, number>): number {
    const all = Object.values(versions);
    return this.getNextVersion(all.length === 0 ? undefined : (maxChannelVersion(...all) as number));
  }
}
