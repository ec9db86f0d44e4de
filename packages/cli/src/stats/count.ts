import { createHash } from "node:crypto";

import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { Serializer } from "@langgraph-savers/core";

import { configOf, type OpenStore, type ThreadRow } from "../stores/store.js";

/** The values of one channel, or all writes together. */
export interface ChannelStats {
  channel: string;
  values: number;
  /** Of every value, serialised whole: what storing each state again would take. */
  wholeBytes: number;
  /** Of the values that differ from all others of their channel and thread. */
  distinctBytes: number;
  largest: number;
}

export interface ThreadStats extends ThreadRow {
  /** Of all states, writes and metadata, serialised whole. */
  wholeBytes: number;
}

export interface Stats {
  threads: ThreadStats[];
  channels: ChannelStats[];
}

/** What writes and metadata are counted under; no channel is called so. */
const WRITES = "(writes of tasks)";
const METADATA = "(metadata)";

const serializer = new Serializer();

/** Reads every checkpoint of the threads, and counts what its parts would take if nothing were shared. */
export class Counter {
  readonly #channels = new Map<string, ChannelStats>();
  readonly threads: ThreadStats[] = [];

  async thread(store: OpenStore, row: ThreadRow): Promise<void> {
    // Values are shared within a thread only.
    const seen = new Set<string>();
    let whole = 0;
    for await (const tuple of store.saver.list(configOf(row.threadId))) whole += this.#count(tuple, seen);
    this.threads.push({ ...row, wholeBytes: whole });
  }

  get channels(): ChannelStats[] {
    return [...this.#channels.values()];
  }

  #count({ checkpoint, metadata, pendingWrites = [] }: CheckpointTuple, seen: Set<string>): number {
    const { channel_values: values, ...skeleton } = checkpoint;
    let bytes = this.#add(METADATA, { skeleton, metadata }, seen);
    for (const [channel, value] of Object.entries(values)) bytes += this.#add(channel, value, seen);
    for (const [, channel, value] of pendingWrites) bytes += this.#add(WRITES, [channel, value], seen);
    return bytes;
  }

  #add(channel: string, value: unknown, seen: Set<string>): number {
    const stats = this.#channels.get(channel) ?? {
      channel,
      values: 0,
      wholeBytes: 0,
      distinctBytes: 0,
      largest: 0,
    };
    this.#channels.set(channel, stats);
    const [, data] = serializer.dump(value);
    const bytes = data.byteLength;
    const hash = createHash("sha256").update(`${channel}\0`).update(data).digest("base64url");
    stats.values += 1;
    stats.wholeBytes += bytes;
    stats.largest = Math.max(stats.largest, bytes);
    if (!seen.has(hash)) stats.distinctBytes += bytes;
    seen.add(hash);
    return bytes;
  }
}
