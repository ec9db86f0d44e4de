import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";

import type { HistoryPoint, ThreadInfo, ThreadListOptions } from "../../src/index.js";
import { byText, MapSaver } from "./map-saver.js";
import { SaverFailure } from "./saver-ground.js";
import type { CheckpointRecord, Place, WriteRecord } from "./storage.js";

/** What can be read of threads as a whole. */
export abstract class ListingSaver extends MapSaver {
  async *listThreads(options: ThreadListOptions = {}): AsyncGenerator<ThreadInfo> {
    const { prefix, after, limit = Infinity } = options;
    for (const [name, text] of Object.entries({ prefix, after }))
      if (text !== undefined) this.checkId(name, text);
    this.checkCount("limit", limit);
    const since = options.updatedSince === undefined ? -Infinity : this.readTime(options.updatedSince);
    await this.reach();
    const found = this.threads()
      .filter((id) => this.hasPrefix(id, prefix ?? ""))
      .filter((id) => after === undefined || this.isAfter(id, after));
    let left = limit;
    for (const id of found) {
      if (left <= 0) return;
      const info = await this.infoOf(id);
      if (info === undefined || !this.isSince(info, since)) continue;
      left -= 1;
      yield info;
    }
  }

  async threadInfo(threadId: string): Promise<ThreadInfo | undefined> {
    const thread = this.threadId(threadId);
    await this.reach();
    return this.infoOf(thread);
  }

  async exists(threadId: string): Promise<boolean> {
    const thread = this.threadId(threadId);
    await this.reach();
    return this.recordsOf(thread).length > 0;
  }

  async stats(): Promise<{ threads: number; checkpoints: number; bytes: number }> {
    await this.reach();
    const records = [...this.storage.checkpoints.values()];
    return {
      threads: this.threads().length,
      checkpoints: records.length,
      bytes: records.reduce((sum, record) => sum + this.bytesOf(record), 0),
    };
  }

  async ping(): Promise<void> {
    await this.reach();
  }

  async getAtOrBefore(threadId: string, point: HistoryPoint): Promise<CheckpointTuple | undefined> {
    const thread = this.threadId(threadId);
    this.checkPoint(point);
    await this.reach();
    const records = this.recordsOf(thread)
      .filter(({ namespace }) => namespace === (point.checkpointNs ?? ""))
      .toSorted((a, b) => this.compareIds(b.id, a.id));
    for (const record of records)
      if (await this.isAtOrBefore(record, point)) return this.tuple(this.load(record));
    return undefined;
  }

  async verify(threadId?: string): Promise<{ intact: number; problems: unknown[] }> {
    const thread = threadId === undefined ? undefined : this.threadId(threadId);
    await this.reach();
    const report = { intact: 0, problems: [] as unknown[] };
    for (const record of this.storage.checkpoints.values()) {
      if (thread !== undefined && record.thread !== thread) continue;
      try {
        await this.tuple(this.load(record));
        report.intact += 1;
      } catch (error) {
        report.problems.push(error);
      }
    }
    return report;
  }

  /** Ids of threads that have a checkpoint, in order. */
  protected threads(): string[] {
    const ids = new Set(Array.from(this.storage.checkpoints.values(), ({ thread }) => thread));
    return [...ids].toSorted(byText);
  }

  protected recordsOf(thread: string): CheckpointRecord[] {
    return [...this.storage.checkpoints.values()].filter((record) => record.thread === thread);
  }

  protected hasPrefix(thread: string, prefix: string): boolean {
    return thread.startsWith(prefix);
  }

  protected isAfter(thread: string, last: string): boolean {
    return byText(thread, last) > 0;
  }

  protected isSince({ updatedAt }: ThreadInfo, since: number): boolean {
    return updatedAt.getTime() >= since;
  }

  protected async infoOf(thread: string): Promise<ThreadInfo | undefined> {
    const records = this.recordsOf(thread).toSorted((a, b) => a.at - b.at);
    const [first, last] = [records[0], records.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const { step, source } = await this.metadataOf(last);
    return {
      threadId: thread,
      createdAt: new Date(first.at),
      updatedAt: new Date(last.at),
      namespaces: this.namespacesOf(records),
      checkpoints: records.length,
      bytes: records.reduce((sum, record) => sum + this.bytesOf(record), 0),
      lastStep: step as number | undefined,
      lastSource: source as string | undefined,
    };
  }

  protected namespacesOf(records: CheckpointRecord[]): string[] {
    return [...new Set(records.map(({ namespace }) => namespace))].toSorted(byText);
  }

  protected bytesOf(record: CheckpointRecord): number {
    const { values, writes } = this.load(record);
    const stored = [record.metadata, ...values.values(), ...writes.map(({ value }: WriteRecord) => value)];
    return stored.reduce((sum, [, data]) => sum + data.length, 0);
  }

  protected async metadataOf(record: CheckpointRecord): Promise<Record<string, unknown>> {
    return (await this.deserialise(record, record.metadata)) as Record<string, unknown>;
  }

  protected async isAtOrBefore(record: CheckpointRecord, point: HistoryPoint): Promise<boolean> {
    if (point.checkpointId !== undefined) return this.compareIds(record.id, point.checkpointId) <= 0;
    if (point.time !== undefined) return record.at <= this.readTime(point.time);
    const { step } = await this.metadataOf(record);
    return typeof step === "number" && step <= point.step!;
  }

  protected checkPoint(point: HistoryPoint): void {
    const { time, step, checkpointId } = (point as HistoryPoint | undefined) ?? {};
    if ([time, step, checkpointId].filter((each) => each !== undefined).length !== 1)
      throw new SaverFailure("BAD_INPUT", "give one of time, step and checkpointId");
    if (checkpointId !== undefined) this.checkId("checkpointId", checkpointId);
    if (step !== undefined && !Number.isSafeInteger(step))
      throw new SaverFailure("BAD_INPUT", "step must be a whole number");
    if (time !== undefined) this.readTime(time);
    if (point.checkpointNs !== undefined) this.checkId("checkpointNs", point.checkpointNs);
  }

  protected checkCount(name: string, count: unknown): void {
    if (typeof count !== "number" || !(count >= 0))
      throw new SaverFailure("BAD_INPUT", `${name} must be a number from 0 on`);
  }

  protected readTime(time: unknown): number {
    const at = time instanceof Date ? time.getTime() : time;
    if (typeof at !== "number" || !Number.isFinite(at))
      throw new SaverFailure("BAD_INPUT", "a time must be a valid Date or a number of milliseconds");
    return at;
  }

  /** An argument that is a list of ids. */
  protected checkIds(name: string, ids: unknown): string[] {
    if (!Array.isArray(ids)) throw new SaverFailure("BAD_INPUT", `${name} must be a list of ids`);
    return ids.map((id: unknown) => this.checkId(name, id));
  }

  protected hasThread(thread: string): boolean {
    return this.recordsOf(thread).length > 0;
  }

  protected remove({ thread, namespace, id }: Place): void {
    const key = this.key(thread, namespace, id);
    this.storage.checkpoints.delete(key);
    this.storage.writes.delete(key);
  }
}
