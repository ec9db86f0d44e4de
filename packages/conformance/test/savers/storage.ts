import type { Checkpoint } from "@langchain/langgraph-checkpoint";

/** A serialised value: the serializer's type and its data. */
export type Stored = readonly [type: string, data: string | Uint8Array];

export interface Place {
  thread: string;
  namespace: string;
  id: string;
}

export interface CheckpointRecord extends Place {
  parent: string | undefined;
  /** When it was put. */
  at: number;
  skeleton: Omit<Checkpoint, "channel_values">;
  metadata: Stored;
  /** By channel; what a reference is, is the saver's own affair. */
  refs: Map<string, unknown>;
}

export interface WriteRecord {
  task: string;
  path: string;
  idx: number;
  channel: string;
  value: Stored;
}

/** What is left when a saver is gone: plain maps, and the ways in which a real storage fails. */
export class Storage {
  readonly checkpoints = new Map<string, CheckpointRecord>();
  /** By place, then by task and idx. */
  readonly writes = new Map<string, Place & { entries: Map<string, WriteRecord> }>();
  /** By thread, then by whatever key the saver has for a value. */
  readonly values = new Map<string, Map<string, Stored>>();
  failing = 0;
  isDown = false;
  /** A process that died reaches nothing any more. */
  epoch = 0;

  valuesOf(thread: string): Map<string, Stored> {
    const found = this.values.get(thread) ?? new Map<string, Stored>();
    this.values.set(thread, found);
    return found;
  }

  /** What every call of a real storage has: it takes a turn of the event loop, and may fail. */
  async reach(epoch: number): Promise<void> {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    if (epoch !== this.epoch) throw new StorageError("the process is dead", false);
    if (this.isDown) throw new StorageError("the storage is out of reach", true);
    if (this.failing > 0) {
      this.failing -= 1;
      throw new StorageError("the connection was reset", true);
    }
  }
}

export class StorageError extends Error {
  constructor(
    message: string,
    readonly isTransient: boolean,
  ) {
    super(message);
  }
}
