import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";

import { SaverError, Serializer } from "../../../src/index.js";

export type Call = "getTuple" | "list" | "put" | "putWrites" | "deleteThread" | "getDeltaChannelHistory";

/** How a call fails: before it reaches the saver, or after, when the answer is lost on its way. */
export type Fault = "before" | "after";

export const outage = (): SaverError => new SaverError("BACKEND_UNAVAILABLE", "The connection was lost.");

/** A saver that can be killed, paused and made to fail, call by call. Its data stays: it is the server that is away. */
export class FaultySaver extends BaseCheckpointSaver {
  readonly inner: BaseCheckpointSaver;
  /** The calls that were made, in their order. */
  readonly calls: Call[] = [];
  /** Asked before every call; what it returns is thrown. */
  fault: (call: Call) => { at: Fault; error: unknown } | undefined = () => undefined;
  #gate: { promise: Promise<void>; open: () => void; lose: () => void } | undefined;

  constructor(inner: BaseCheckpointSaver) {
    super(inner.serde);
    this.inner = inner;
  }

  /** From now on every call, or those named, fails; so do those that wait. */
  kill(at: Fault = "before", ...which: Call[]): void {
    this.fault = (call) => (which.length === 0 || which.includes(call) ? { at, error: outage() } : undefined);
    this.#gate?.lose();
    this.#gate = undefined;
  }

  /** The next call, or the next of its kind, fails. */
  failNext(error: unknown = outage(), at: Fault = "before", which?: Call): void {
    this.fault = (call) => {
      if (which !== undefined && call !== which) return undefined;
      this.fault = () => undefined;
      return { at, error };
    };
  }

  restart(): void {
    this.fault = () => undefined;
    this.resume();
  }

  /** From now on calls wait before they reach the saver. */
  pause(): void {
    if (this.#gate !== undefined) return;
    let open!: () => void;
    let lose!: () => void;
    const promise = new Promise<void>((resolve, reject) => {
      open = resolve;
      lose = () => reject(outage());
    });
    promise.catch(() => {});
    this.#gate = { promise, open, lose };
  }

  resume(): void {
    this.#gate?.open();
    this.#gate = undefined;
  }

  count(call: Call): number {
    return this.calls.filter((each) => each === call).length;
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    return this.#pass("getTuple", () => this.inner.getTuple(config));
  }

  override async *list(config: RunnableConfig, options?: CheckpointListOptions) {
    const tuples = this.inner.list(config, options);
    for (;;) {
      const next = await this.#pass("list", () => tuples.next());
      if (next.done) return;
      yield next.value;
    }
  }

  override async put(
    config: RunnableConfig,
    ...rest: [Checkpoint, CheckpointMetadata, ChannelVersions]
  ): Promise<RunnableConfig> {
    const args = this.#asSent(rest);
    return this.#pass("put", () => this.inner.put(config, ...args));
  }

  override async putWrites(config: RunnableConfig, ...rest: [PendingWrite[], string]): Promise<void> {
    const args = this.#asSent(rest);
    return this.#pass("putWrites", () => this.inner.putWrites(config, ...args));
  }

  override async deleteThread(threadId: string): Promise<void> {
    return this.#pass("deleteThread", () => this.inner.deleteThread(threadId));
  }

  override async getDeltaChannelHistory(
    options: Parameters<BaseCheckpointSaver["getDeltaChannelHistory"]>[0],
  ) {
    return this.#pass("getDeltaChannelHistory", () => this.inner.getDeltaChannelHistory(options));
  }

  /** A saver has serialised its values when it begins to wait for its server. */
  #asSent<T>(values: T): T {
    const serializer = new Serializer();
    return this.#gate === undefined ? values : (serializer.load(...serializer.dump(values)) as T);
  }

  async #pass<T>(call: Call, run: () => Promise<T>): Promise<T> {
    this.calls.push(call);
    const fault = this.fault(call);
    if (fault?.at === "before") throw fault.error;
    // Without a gate the inner saver is called at once: it reads the caller's values then.
    if (this.#gate !== undefined) await this.#gate.promise;
    const answer = await run();
    if (fault?.at === "after") throw fault.error;
    return answer;
  }
}
