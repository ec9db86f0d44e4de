import type { RunnableConfig } from "@langchain/core/runnables";
import type { SaverUnderTest } from "@langgraph-savers/test";

import {
  InMemorySaver,
  MemoryStore,
  ReplicatedSaver,
  Serializer,
  type ReplicationMode,
  type SaverOptions,
} from "../../../src/index.js";
import { drained } from "./support.js";

type Stores = [primary: MemoryStore, secondary: MemoryStore];
type Open = (stores: Stores, options?: SaverOptions) => ReplicatedSaver;

/** Two `InMemorySaver`s, replicated. */
export function replicated(mode: ReplicationMode): SaverUnderTest {
  return subjectOf(`ReplicatedSaver, ${mode}`, (stores, options) => {
    return new ReplicatedSaver({
      primary: new InMemorySaver({ ...options, store: stores[0] }),
      secondary: new InMemorySaver({ store: stores[1] }),
      // The scenarios count what a serializer is asked for; the copy has one of its own.
      serde: new Serializer(),
      mode,
    });
  });
}

/** All that is read is the copy, once it has taken everything. */
class ReadFromSecondary extends ReplicatedSaver {
  readonly #copy: InMemorySaver;
  readonly #writers: ReplicatedSaver[];

  constructor(stores: Stores, mode: ReplicationMode, writers: ReplicatedSaver[]) {
    const secondary = new InMemorySaver({ store: stores[1] });
    super({ primary: new InMemorySaver({ store: stores[0] }), secondary, mode });
    this.#copy = secondary;
    this.#writers = writers;
    writers.push(this);
  }

  async #ready(): Promise<InMemorySaver> {
    for (const writer of this.#writers) await drained(writer);
    return this.#copy;
  }

  override async getTuple(config: RunnableConfig) {
    return (await this.#ready()).getTuple(config);
  }

  override async *list(...args: Parameters<ReplicatedSaver["list"]>) {
    yield* (await this.#ready()).list(...args);
  }

  override async getDeltaChannelHistory(options: Parameters<ReplicatedSaver["getDeltaChannelHistory"]>[0]) {
    return (await this.#ready()).getDeltaChannelHistory(options);
  }
}

export function readFromSecondary(mode: ReplicationMode): SaverUnderTest {
  const writers = new WeakMap<Stores, ReplicatedSaver[]>();
  return subjectOf(`ReplicatedSaver, ${mode}, read from the secondary`, (stores) => {
    const opened = writers.get(stores) ?? [];
    writers.set(stores, opened);
    return new ReadFromSecondary(stores, mode, opened);
  });
}

/** Reopened, it is as another process would have it: over the same two stores. */
function subjectOf(name: string, open: Open): SaverUnderTest {
  const opened = new WeakMap<object, Stores>();
  const over: Open = (stores, options) => {
    const saver = open(stores, options);
    opened.set(saver, stores);
    return saver;
  };
  return {
    name,
    create: () => over([new MemoryStore(), new MemoryStore()]),
    createWith: (options) => over([new MemoryStore(), new MemoryStore()], options),
    reopen: (saver) => over(opened.get(saver)!),
    destroy: (saver) => (saver as ReplicatedSaver).close(),
  };
}
