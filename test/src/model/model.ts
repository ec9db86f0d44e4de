import { isDeepStrictEqual } from "node:util";

import {
  TASKS,
  WRITES_IDX_MAP,
  maxChannelVersion,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  type DeltaChannelHistory,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";

export interface Place {
  thread: string;
  namespace: string;
  id: string;
}

export interface Query {
  thread?: string;
  namespace?: string;
  id?: string;
  before?: string;
  limit?: number;
  filter?: Record<string, unknown>;
}

interface StoredCheckpoint extends Place {
  parent: string | undefined;
  checkpoint: Checkpoint;
  metadata: CheckpointMetadata;
}

interface StoredWrite extends Place {
  taskPath: string;
  taskId: string;
  idx: number;
  channel: string;
  value: unknown;
}

const samePlace = (a: Place, b: Place): boolean =>
  a.thread === b.thread && a.namespace === b.namespace && a.id === b.id;
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const configOf = ({ thread, namespace, id }: Place) => ({
  configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id },
});

/**
 * The contract as two plain lists, searched from end to end: slow, and simple enough to be believed. Whoever calls it
 * gives it values that nobody else holds, and changes nothing of what it returns.
 */
export class Model {
  private checkpoints: StoredCheckpoint[] = [];
  private writes: StoredWrite[] = [];

  find(place: Place): StoredCheckpoint | undefined {
    return this.checkpoints.find((each) => samePlace(each, place));
  }

  put(
    place: Place,
    parentId: string | undefined,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): void {
    const before = this.find(place);
    const parent = parentId === undefined ? undefined : this.find({ ...place, id: parentId });
    const values: Record<string, unknown> = {};
    for (const [channel, passed] of Object.entries(checkpoint.channel_values)) {
      const version = checkpoint.channel_versions[channel];
      if (version === undefined || channel in newVersions) values[channel] = passed;
      else if (parentId === undefined) continue; // no parent, versioned, not in newVersions: not stored
      else if (parent === undefined) values[channel] = passed; // named but not stored
      else if (parent.checkpoint.channel_versions[channel] !== version) values[channel] = passed;
      else values[channel] = parent.checkpoint.channel_values[channel];
    }
    this.checkpoints = this.checkpoints.filter((each) => each !== before);
    this.checkpoints.push({
      ...place,
      parent: parentId === place.id ? before?.parent : parentId,
      checkpoint: { ...checkpoint, channel_values: values },
      metadata,
    });
  }

  putWrites(place: Place, writes: PendingWrite[], taskId: string, taskPath = ""): void {
    const there = this.writes.filter((each) => samePlace(each, place) && each.taskId === taskId);
    const batch = new Map<number, StoredWrite>();
    for (const [position, [channel, value]] of writes.entries()) {
      const idx = WRITES_IDX_MAP[channel] ?? position;
      const taken = there.some((each) => each.idx === idx);
      if (idx < 0 || !taken) batch.set(idx, { ...place, taskPath, taskId, idx, channel, value });
    }
    this.writes = this.writes.filter((each) => !(there.includes(each) && batch.has(each.idx)));
    this.writes.push(...batch.values());
  }

  deleteThread(thread: string): void {
    this.checkpoints = this.checkpoints.filter((each) => each.thread !== thread);
    this.writes = this.writes.filter((each) => each.thread !== thread);
  }

  /** By id, or the one with the greatest id of that namespace. */
  getTuple(thread: string, namespace: string, id?: string): CheckpointTuple | undefined {
    return this.list({ thread, namespace, ...(id === undefined ? {} : { id }) })[0];
  }

  list({ thread, namespace, id, before, limit, filter }: Query): CheckpointTuple[] {
    return this.checkpoints
      .filter((each) => thread === undefined || each.thread === thread)
      .filter((each) => namespace === undefined || each.namespace === namespace)
      .filter((each) => id === undefined || each.id === id)
      .filter((each) => before === undefined || each.id < before)
      .filter((each) =>
        Object.entries(filter ?? {}).every(
          ([key, wanted]) => key in each.metadata && isDeepStrictEqual(each.metadata[key as "step"], wanted),
        ),
      )
      .toSorted((a, b) => byText(b.id, a.id))
      .slice(0, limit)
      .map((each) => this.tuple(each));
  }

  history(
    thread: string,
    namespace: string,
    id: string | undefined,
    channels: string[],
  ): Record<string, DeltaChannelHistory> {
    const target = this.getTuple(thread, namespace, id)?.checkpoint.id;
    return Object.fromEntries(
      channels.map((channel) => [channel, this.channelHistory(thread, namespace, target, channel)]),
    );
  }

  private channelHistory(
    thread: string,
    namespace: string,
    target: string | undefined,
    channel: string,
  ): DeltaChannelHistory {
    const history: DeltaChannelHistory = { writes: [] };
    if (target === undefined) return history;
    const visited = new Set([target]);
    let at = this.find({ thread, namespace, id: target })?.parent;
    while (at !== undefined && !visited.has(at)) {
      visited.add(at);
      const ancestor = this.find({ thread, namespace, id: at });
      if (ancestor === undefined) break;
      history.writes.unshift(...this.writesOf(ancestor).filter((write) => write[1] === channel));
      if (channel in ancestor.checkpoint.channel_values) {
        history.seed = ancestor.checkpoint.channel_values[channel];
        break;
      }
      at = ancestor.parent;
    }
    return history;
  }

  private writesOf(place: Place): CheckpointPendingWrite[] {
    return this.writes
      .filter((each) => samePlace(each, place))
      .toSorted((a, b) => byText(a.taskPath, b.taskPath) || byText(a.taskId, b.taskId) || a.idx - b.idx)
      .map((each) => [each.taskId, each.channel, each.value]);
  }

  private tuple(stored: StoredCheckpoint): CheckpointTuple {
    const { parent, metadata } = stored;
    let { checkpoint } = stored;
    if (checkpoint.v < 4 && parent !== undefined) {
      const sends = this.writesOf({ ...stored, id: parent })
        .filter((write) => write[1] === TASKS)
        .map((write) => write[2]);
      const versions = Object.values(checkpoint.channel_versions);
      checkpoint = {
        ...checkpoint,
        channel_values: { ...checkpoint.channel_values, [TASKS]: sends },
        channel_versions:
          versions.length === 0
            ? {}
            : { ...checkpoint.channel_versions, [TASKS]: maxChannelVersion(...versions) },
      };
    }
    const tuple: CheckpointTuple = {
      config: configOf(stored),
      checkpoint,
      metadata,
      pendingWrites: this.writesOf(stored),
    };
    if (parent !== undefined) tuple.parentConfig = configOf({ ...stored, id: parent });
    return tuple;
  }
}
