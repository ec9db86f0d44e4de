import { INTERRUPT, TASKS } from "@langchain/langgraph-checkpoint";

import type { PrunePolicy, PruneReport } from "../../src/index.js";
import { CopyingSaver } from "./copying-saver.js";
import { SaverFailure } from "./saver-ground.js";
import type { CheckpointRecord, Place } from "./storage.js";

type ThreadReport = PruneReport["threads"][number];
type Kept = Map<CheckpointRecord, string[]>;

/** What deletes a part of a thread. */
export abstract class PruningSaver extends CopyingSaver {
  async deleteCheckpoints(
    threadId: string,
    checkpointIds: readonly string[],
    options: { checkpointNs?: string; force?: boolean } = {},
  ): Promise<{ checkpoints: number }> {
    const thread = this.threadId(threadId);
    const ids = new Set(this.checkIds("checkpointIds", checkpointIds));
    if (options.checkpointNs !== undefined) this.checkId("checkpointNs", options.checkpointNs);
    await this.reach();
    const going = this.recordsOf(thread).filter(
      ({ namespace, id }) => ids.has(id) && this.isIn(namespace, options.checkpointNs),
    );
    if (options.force !== true) await this.assertNotNeeded(going);
    return this.removeAll(going);
  }

  async deleteForRuns(
    runIds: readonly string[],
    options: { force?: boolean } = {},
  ): Promise<{ checkpoints: number }> {
    const runs = new Set(this.checkIds("runIds", runIds));
    await this.reach();
    const going: CheckpointRecord[] = [];
    for (const record of this.storage.checkpoints.values())
      if (this.isOfRuns(await this.metadataOf(record), runs)) going.push(record);
    if (options.force !== true) await this.assertNotNeeded(going);
    return this.removeAll(going);
  }

  async prune(threadIds: readonly string[] | "all", policy: PrunePolicy): Promise<PruneReport> {
    this.checkPolicy(policy);
    const asked = threadIds === "all" ? undefined : this.checkIds("threadIds", threadIds);
    await this.reach();
    const report = { deleted: 0, kept: 0, bytes: 0, threads: [] as ThreadReport[] };
    for (const thread of this.toPrune(asked)) {
      const records = this.recordsOf(thread).toSorted((a, b) => this.compareIds(b.id, a.id));
      const kept = await this.keeps(records, policy);
      const going = records.filter((record) => !kept.has(record));
      const bytes = policy.dryRun === true ? 0 : this.sizeOf(going);
      if (!this.isDry(policy)) this.removeAll(going);
      const told = this.tell(thread, going, kept, bytes);
      report.deleted += told.deleted.length;
      report.kept += told.kept.length;
      report.bytes += bytes;
      report.threads.push(told);
    }
    return report;
  }

  protected isIn(namespace: string, wanted: string | undefined): boolean {
    return wanted === undefined || namespace === wanted;
  }

  protected isOfRuns(metadata: Record<string, unknown>, runs: Set<string>): boolean {
    return runs.has(metadata["run_id"] as string);
  }

  protected removeAll(records: readonly CheckpointRecord[]): { checkpoints: number } {
    for (const record of records) this.remove(record);
    return { checkpoints: records.length };
  }

  protected async assertNotNeeded(going: readonly CheckpointRecord[]): Promise<void> {
    const gone = new Set(going.map((record) => this.keyOf(record)));
    for (const record of this.storage.checkpoints.values()) {
      const { parent } = record;
      if (parent === undefined || gone.has(this.keyOf(record))) continue;
      if (gone.has(this.keyOf({ ...record, id: parent })) && (await this.needsParent(record)))
        throw new SaverFailure("NEEDED", `${this.keyOf(record)} holds only changes against one of them`);
    }
  }

  protected keyOf({ thread, namespace, id }: Place): string {
    return this.key(thread, namespace, id);
  }

  protected toPrune(asked: readonly string[] | undefined): string[] {
    return this.threads().filter((thread) => asked === undefined || asked.includes(thread));
  }

  protected checkPolicy(policy: PrunePolicy): void {
    if (typeof policy !== "object" || policy === null) throw badPolicy("it must be an object");
    const { strategy, keepLast, olderThan } = policy;
    if (strategy === undefined && keepLast === undefined && olderThan === undefined)
      throw badPolicy("it says nothing to prune by");
    if (strategy !== undefined && strategy !== "keep_latest" && strategy !== "delete")
      throw badPolicy("strategy must be keep_latest or delete");
    if (strategy !== undefined && keepLast !== undefined) throw badPolicy("give strategy or keepLast");
    if (keepLast !== undefined && (!Number.isSafeInteger(keepLast) || keepLast < 1))
      throw badPolicy("keepLast must be a whole number from 1 on");
    if (typeof olderThan === "number") this.checkCount("olderThan", olderThan);
    if (olderThan !== undefined) this.readTime(olderThan);
  }

  protected isDry(policy: PrunePolicy): boolean {
    return policy.dryRun === true;
  }

  /** What stays, newest first, and why. */
  protected async keeps(records: readonly CheckpointRecord[], policy: PrunePolicy): Promise<Kept> {
    const kept: Kept = new Map();
    const add = (record: CheckpointRecord, reason: string): void =>
      void kept.set(record, [...(kept.get(record) ?? []), reason]);
    const before = this.goesBefore(policy);
    if (policy.strategy === "delete") {
      if (records.some((record) => record.at >= before)) for (const record of records) add(record, "recent");
      return kept;
    }
    const seen = new Map<string, number>();
    const finished = new Set<string>();
    for (const record of records) {
      const place = this.countedBy(record);
      seen.set(place, (seen.get(place) ?? 0) + 1);
      if (seen.get(place)! <= (policy.keepLast ?? 1)) add(record, "last");
      if (record.at >= before) add(record, "recent");
      if (policy.keepInterrupted !== false && this.isInterrupted(record)) add(record, "interrupted");
      if (policy.keepFinished !== true || finished.has(place) || !(await this.isFinished(record))) continue;
      finished.add(place);
      add(record, "finished");
    }
    for (const record of Array.from(kept.keys()))
      for (const needed of await this.ancestorsToKeep(record)) if (!kept.has(needed)) add(needed, "needed");
    return kept;
  }

  protected countedBy({ namespace }: CheckpointRecord): string {
    return namespace;
  }

  protected ancestorsToKeep(record: CheckpointRecord): Promise<CheckpointRecord[]> {
    return this.ancestorsToCopy(record);
  }

  /** What was put from this time on stays. */
  protected goesBefore({ olderThan }: PrunePolicy): number {
    if (olderThan === undefined) return Infinity;
    return olderThan instanceof Date ? olderThan.getTime() : Date.now() - olderThan;
  }

  /** A task asks and has written nothing since, and no other checkpoint goes on from there. */
  protected isInterrupted(record: CheckpointRecord): boolean {
    const writes = this.writesOf(record);
    const done = new Set(writes.filter(({ idx }) => idx >= 0).map(({ task }) => task));
    const asks = writes.some(({ channel, task }) => channel === INTERRUPT && !done.has(task));
    return asks && !this.recordsOf(record.thread).some((each) => this.isChild(each, record));
  }

  protected isChild(record: CheckpointRecord, { namespace, id }: Place): boolean {
    return record.namespace === namespace && record.parent === id;
  }

  /** No task is to come: no input waits, no edge leads on, no Send is pending. */
  protected async isFinished(record: CheckpointRecord): Promise<boolean> {
    for (const [channel, ref] of record.refs) {
      if (channel === "__start__" || channel.startsWith("branch:to:")) return false;
      if (channel !== TASKS) continue;
      const sends = await this.deserialise(record, this.recall(record, channel, ref)!);
      if (Array.isArray(sends) && sends.length > 0) return false;
    }
    return true;
  }

  protected sizeOf(records: readonly CheckpointRecord[]): number {
    return records.reduce((sum, record) => sum + this.bytesOf(record), 0);
  }

  protected tell(
    thread: string,
    going: readonly CheckpointRecord[],
    kept: Kept,
    bytes: number,
  ): ThreadReport {
    const named = ({ namespace, id }: CheckpointRecord) => ({ checkpointNs: namespace, checkpointId: id });
    return {
      threadId: thread,
      deleted: going.map(named),
      kept: Array.from(kept, ([record, reasons]) => ({ ...named(record), reasons })),
      bytes,
    };
  }
}

function badPolicy(what: string): SaverFailure {
  return new SaverFailure("BAD_INPUT", `the policy cannot be followed: ${what}`);
}
