import type { RunnableConfig } from "@langchain/core/runnables";
import type { CheckpointTuple, PendingWrite, SerializerProtocol } from "@langchain/langgraph-checkpoint";

import { SnapshotSaver } from "../savers/architectures.js";
import type { MapSaver } from "../savers/map-saver.js";
import type { Place, Storage, Stored } from "../savers/storage.js";
import { defect, type Defect } from "./defect.js";

type PutArguments = Parameters<MapSaver["put"]>;

export const serdeDefects: Defect[] = [
  defect(
    "serde.round-trip",
    "takes a serializer and does not use it",
    "The option is in the type, and passed to nobody.",
    class extends SnapshotSaver {
      constructor(storage?: Storage, _serde?: SerializerProtocol) {
        super(storage);
      }
    },
  ),
  defect(
    "serde.put-starts-at-once",
    "serialises one channel after the other",
    "`for … await serde.dumpsTyped(value)`.",
    class extends SnapshotSaver {
      private queue: Promise<unknown> = Promise.resolve();
      protected override async serialise(name: string, value: unknown): Promise<Stored> {
        const turn = this.queue.then(() => super.serialise(name, value));
        this.queue = turn.catch(() => {});
        return turn;
      }
    },
  ),
  defect(
    "serde.carried-channel-too",
    "serialises unchanged channels when it needs them",
    "A call of the serializer is saved for each.",
    class extends SnapshotSaver {
      override async put(...args: PutArguments): Promise<RunnableConfig> {
        if (Object.keys(args[3]).length === 0) await this.reach();
        return super.put(...args);
      }
    },
  ),
  defect(
    "serde.put-writes-starts-at-once",
    "serialises one write after the other",
    "`for … await serde.dumpsTyped(value)`.",
    class extends SnapshotSaver {
      override async putWrites(
        ...[config, writes, ...rest]: Parameters<MapSaver["putWrites"]>
      ): Promise<void> {
        const late: PendingWrite[] = [];
        for (const write of writes) {
          late.push(write);
          await this.reach();
        }
        await super.putWrites(config, late, ...rest);
      }
    },
  ),
  defect(
    "serde.cannot-write",
    "stores nothing for what the serializer refuses",
    "`catch { return null }`: the checkpoint lands without its values.",
    class extends SnapshotSaver {
      protected override async serialise(name: string, value: unknown): Promise<Stored> {
        try {
          return await super.serialise(name, value);
        } catch {
          return ["text", "null"];
        }
      }
    },
  ),
  defect(
    "serde.cannot-read",
    "takes what it cannot read for nothing",
    "`catch { return undefined }`: the graph starts over.",
    class extends SnapshotSaver {
      override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
        try {
          return await super.getTuple(config);
        } catch {
          return undefined;
        }
      }
    },
  ),
  defect(
    "serde.list-streams",
    "reads everything before it lists anything",
    "`const all = await …; yield* all`.",
    class extends SnapshotSaver {
      override async *list(...args: Parameters<MapSaver["list"]>): AsyncGenerator<CheckpointTuple> {
        const tuples: CheckpointTuple[] = [];
        for await (const tuple of super.list(...args)) tuples.push(tuple);
        yield* tuples;
      }
    },
  ),
  defect(
    "messages.nested",
    "does not look for messages inside a Map",
    "The walk that finds messages knows arrays and objects.",
    class extends SnapshotSaver {
      protected override async deserialise(record: Place, stored: Stored): Promise<unknown> {
        const value = await super.deserialise(record, stored);
        return value instanceof Map
          ? new Map(JSON.parse(JSON.stringify([...value])) as [unknown, unknown][])
          : value;
      }
    },
  ),
];
