import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type DeltaChannelHistory,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";

import { SaverError } from "../../errors.js";
import { invalid, readIds, readOptions, readThreadId } from "../../saver/config.js";
import { Monitor } from "./monitor.js";
import { Capture, type Answer, type Operation } from "./operation.js";
import { readSettings, type AnySaver, type ReplicatedSaverOptions, type Settings } from "./options.js";
import { Pump } from "./pump.js";
import { ReplicatedReader } from "./reader.js";
import { Replica } from "./replica.js";
import { resync, type ResyncOptions } from "./resync.js";
import type { ReplicationStatus, ResyncReport } from "./status.js";
import { ReplicatedWriter } from "./writer.js";

/**
 * Keeps everything in two savers, of this pack or not: writes go to both, reads to the one that is up and has missed
 * nothing. It goes over to the secondary when the primary is down, and back when the primary has caught up.
 */
export class ReplicatedSaver extends BaseCheckpointSaver {
  readonly #settings: Settings;
  readonly #primary: Replica;
  readonly #secondary: Replica;
  readonly #pumps: Map<Replica, Pump>;
  readonly #monitor: Monitor;
  readonly #capture: Capture;
  readonly #writer: ReplicatedWriter;
  readonly #reader: ReplicatedReader;
  #closing: Promise<void> | undefined;

  constructor(options: ReplicatedSaverOptions) {
    const settings = readSettings(options);
    const { primary, secondary } = options;
    super(primary.serde);
    // Bound to the primary: LangGraph calls it without the saver when it updates a subgraph's state.
    this.getNextVersion = (current) => primary.getNextVersion(current) as number;
    this.#settings = settings;
    this.#primary = new Replica("primary", primary, settings);
    this.#secondary = new Replica("secondary", secondary, settings);
    Replica.pair(this.#primary, this.#secondary);
    this.#pumps = new Map(
      [this.#primary, this.#secondary].map((side) => [side, new Pump(side, settings)] as const),
    );
    this.#monitor = new Monitor(this.#primary, this.#pumps, settings);
    this.#capture = new Capture(settings.serde);
    this.#writer = new ReplicatedWriter(this.#monitor, settings);
    this.#reader = new ReplicatedReader(this.#monitor, this.#pumps, settings);
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    this.#refuseIfClosed();
    const { threadId } = readIds("getTuple", config);
    return this.#reader.read(threadId, (saver) => saver.getTuple(config));
  }

  override async *list(
    config: RunnableConfig,
    options?: CheckpointListOptions,
  ): AsyncGenerator<CheckpointTuple> {
    this.#refuseIfClosed();
    const { threadId } = readIds("list", config);
    yield* this.#reader.list(threadId, config, options);
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const captured = this.#capture.put(config, checkpoint, metadata, newVersions);
    const answer = await this.#write(captured, (saver) =>
      saver.put(config, checkpoint, metadata, newVersions),
    );
    return answer!;
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    // As LangGraph 1.7 calls it.
    taskPath?: string,
  ): Promise<void> {
    const captured = this.#capture.putWrites(config, writes, taskId, taskPath);
    const path = taskPath === undefined ? [] : [taskPath];
    await this.#write(captured, async (saver) => {
      await saver.putWrites(...([config, writes, taskId, ...path] as Parameters<AnySaver["putWrites"]>));
      return undefined;
    });
  }

  override async deleteThread(threadId: string): Promise<void> {
    await this.#write(this.#capture.deleteThread(threadId));
  }

  override async getDeltaChannelHistory(options: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>> {
    this.#refuseIfClosed();
    const { threadId } = readIds("getDeltaChannelHistory", options.config);
    return this.#reader.read(threadId, (saver) => saver.getDeltaChannelHistory(options));
  }

  /** What each side is doing, and which one serves. */
  status(): ReplicationStatus {
    const [primary, secondary] = [this.#primary.status(), this.#secondary.status()];
    const isBehind = ({ state, queue, needsResync }: typeof primary) =>
      state !== "up" || queue.operations > 0 || needsResync > 0;
    return {
      mode: this.#settings.mode,
      active: this.#monitor.active.name,
      degraded: isBehind(primary) || isBehind(secondary),
      primary,
      secondary,
    };
  }

  /**
   * Compares both sides, of one thread or of all, and copies what is missing. Call it when a secondary is new, and after
   * a process ended with something left in its queue. Safe beside running graphs. Rejects while a side is down.
   */
  async resync(threadId?: string, options?: ResyncOptions): Promise<ResyncReport> {
    this.#refuseIfClosed();
    const { from } = readOptions("resync", options);
    if (from !== undefined && from !== "primary" && from !== "secondary") {
      throw invalid("resync", '`from` must be "primary" or "secondary"');
    }
    return resync(this.#monitor, readThreadId("resync", threadId), from);
  }

  /**
   * Waits until both sides have everything, as far as they are up, and stops. Afterwards every call is refused.
   * Idempotent. What a side could not take is told by an `"incomplete"` event.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #write(
    captured: Operation | Promise<Operation>,
    live?: (saver: AnySaver) => Promise<Answer>,
  ): Promise<Answer> {
    // Both throw before anything is written.
    this.#refuseIfClosed();
    if (captured instanceof Promise) {
      const operation = await captured;
      // What comes after the last look at the queues would be on one side only.
      this.#refuseIfClosed();
      return this.#writer.write(operation);
    }
    return this.#writer.write(captured, live);
  }

  #refuseIfClosed(): void {
    if (this.#closing !== undefined) {
      throw new SaverError("SAVER_CLOSED", "The ReplicatedSaver is closed. Make a new one.");
    }
  }

  async #close(): Promise<void> {
    await this.#writer.lanes.idle();
    for (const side of [this.#primary, this.#secondary]) {
      if (side.isDown) await this.#monitor.check(side);
      await this.#pumps.get(side)!.finish();
    }
    this.#monitor.stop();
    for (const [side, pump] of this.#pumps) {
      pump.stop();
      const { queue, needsResync } = side.status();
      if (queue.operations === 0 && needsResync === 0) continue;
      const threads = side.backlog.entries().length;
      this.#settings.onEvent({ type: "incomplete", side: side.name, operations: queue.operations, threads });
    }
    if (!this.#settings.closeSavers) return;
    for (const { saver } of [this.#primary, this.#secondary]) {
      if ("close" in saver && typeof saver.close === "function") await saver.close();
      else if ("end" in saver && typeof saver.end === "function") await saver.end();
    }
  }
}
