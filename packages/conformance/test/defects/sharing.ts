import type { RunnableConfig } from "@langchain/core/runnables";
import type { CheckpointTuple, DeltaChannelHistory } from "@langchain/langgraph-checkpoint";

import { SnapshotSaver } from "../savers/architectures.js";
import type { MapSaver } from "../savers/map-saver.js";
import type { Place, Stored } from "../savers/storage.js";
import { defect, type Defect } from "./defect.js";

type PutArguments = Parameters<MapSaver["put"]>;
type PutWritesArguments = Parameters<MapSaver["putWrites"]>;

export const sharingDefects: Defect[] = [
  defect(
    "sharing.put-arguments",
    "connects before it serialises",
    "`await this.setup()` is the first line of put.",
    class extends SnapshotSaver {
      override async put(...args: PutArguments): Promise<RunnableConfig> {
        await this.reach();
        return super.put(...args);
      }
    },
  ),
  defect(
    "sharing.puts-in-a-row",
    "gathers puts and stores them together",
    "A queue that is flushed when the event loop is idle; what is in it goes on changing.",
    class extends SnapshotSaver {
      private queue: Promise<unknown> = Promise.resolve();
      override async put(...[config, checkpoint, ...rest]: PutArguments): Promise<RunnableConfig> {
        const copy = { ...checkpoint, channel_values: { ...checkpoint.channel_values } };
        const put = this.queue.then(() => super.put(config, copy, ...rest));
        this.queue = put.catch(() => {});
        return put;
      }
    },
  ),
  defect(
    "sharing.put-carried-argument",
    "serialises unchanged channels when it needs them",
    "They are needed only where the parent turns out not to be stored.",
    class extends SnapshotSaver {
      override async put(...args: PutArguments): Promise<RunnableConfig> {
        if (Object.keys(args[3]).length === 0) await this.reach();
        return super.put(...args);
      }
    },
  ),
  defect(
    "mutation.each-step-as-it-was",
    "keeps what it is given",
    "Values are stored as objects; nothing is serialised in memory.",
    class extends SnapshotSaver {
      private readonly live = new Map<string, unknown>();
      protected override dump(value: unknown): Stored {
        const key = String(this.live.size);
        this.live.set(key, value);
        return ["live", key];
      }
      protected override async deserialise(record: Place, stored: Stored): Promise<unknown> {
        return stored[0] === "live" ? this.live.get(stored[1] as string) : super.deserialise(record, stored);
      }
    },
  ),
  defect(
    "sharing.put-writes-arguments",
    "looks at the storage before it serialises writes",
    "What is there already need not be serialised.",
    class extends SnapshotSaver {
      override async putWrites(...args: PutWritesArguments): Promise<void> {
        await this.reach();
        await super.putWrites(...args);
      }
    },
  ),
  defect(
    "sharing.callers-objects-untouched",
    "takes the values off the checkpoint",
    "`delete checkpoint.channel_values` before the rest is stored as JSON.",
    class extends SnapshotSaver {
      override async put(...[config, checkpoint, ...rest]: PutArguments): Promise<RunnableConfig> {
        const returned = super.put(config, { ...checkpoint }, ...rest);
        checkpoint.channel_values = {};
        return returned;
      }
    },
  ),
  defect(
    "sharing.get-tuple-result",
    "gives out the tuple in its cache",
    "Checkpoints do not change, so a tuple can be given out again.",
    class extends SnapshotSaver {
      private readonly cache = new Map<string, CheckpointTuple>();
      protected override async tuple(...args: Parameters<SnapshotSaver["tuple"]>): Promise<CheckpointTuple> {
        const { thread, namespace, id } = args[0].record;
        const key = this.key(thread, namespace, id);
        const tuple = this.cache.get(key) ?? (await super.tuple(...args));
        this.cache.set(key, tuple);
        return tuple;
      }
    },
  ),
  defect(
    "sharing.between-checkpoints",
    "gives out one object for one stored value",
    "A cache of deserialised values by their content.",
    class extends SnapshotSaver {
      private readonly cache = new Map<unknown, unknown>();
      protected override async deserialise(record: Place, stored: Stored): Promise<unknown> {
        const value = this.cache.get(stored[1]) ?? (await super.deserialise(record, stored));
        this.cache.set(stored[1], value);
        return value;
      }
    },
  ),
  defect(
    "mutation.what-was-read",
    "gives out the state in its cache",
    "The latest state is kept as an object, for speed.",
    class extends SnapshotSaver {
      private readonly latestTuples = new Map<string, CheckpointTuple>();
      override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
        const tuple = await super.getTuple(config);
        if (tuple === undefined) return undefined;
        const key = JSON.stringify(tuple.config);
        const kept = this.latestTuples.get(key) ?? tuple;
        this.latestTuples.set(key, kept);
        return { ...tuple, checkpoint: kept.checkpoint };
      }
    },
  ),
  defect(
    "sharing.list-result",
    "builds each tuple of a list upon the one before",
    "Neighbours differ in a few channels, so the rest is passed on.",
    class extends SnapshotSaver {
      override async *list(...args: Parameters<MapSaver["list"]>): AsyncGenerator<CheckpointTuple> {
        let before: CheckpointTuple | undefined;
        for await (const tuple of super.list(...args)) {
          const values = { ...tuple.checkpoint.channel_values, ...before?.checkpoint.channel_values };
          const own = Object.keys(tuple.checkpoint.channel_values).map(
            (name) => [name, values[name]] as const,
          );
          before = { ...tuple, checkpoint: { ...tuple.checkpoint, channel_values: Object.fromEntries(own) } };
          yield before;
        }
      }
    },
  ),
  defect(
    "deltaHistory.result-is-the-callers",
    "gives out the history in its cache",
    "The past does not change, so it is kept.",
    class extends SnapshotSaver {
      private readonly cache = new Map<string, Record<string, DeltaChannelHistory>>();
      override async getDeltaChannelHistory(...args: Parameters<MapSaver["getDeltaChannelHistory"]>) {
        const key = JSON.stringify(args);
        const history = this.cache.get(key) ?? (await super.getDeltaChannelHistory(...args));
        this.cache.set(key, history);
        return history;
      }
    },
  ),
];
