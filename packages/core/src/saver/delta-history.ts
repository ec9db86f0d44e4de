import type { DeltaChannelHistory } from "@langchain/langgraph-checkpoint";

import type { ValueRef } from "../codec/value-ref.js";
import type { CheckpointKey, CheckpointSelector, CheckpointStore, StoredCheckpoint } from "../store/port.js";
import { damaged, quoteId } from "../errors.js";
import { deltaChannels } from "../threads/delta-needs.js";
import { keyOf, MAX_GENERATIONS, type Opened, type Reader } from "./reader.js";
import { errorPlace, type OpenWrite } from "./records.js";

const PAGE = 256;

interface Found {
  key: CheckpointKey;
  stored: StoredCheckpoint;
}

/** What was found for one channel, newest first. */
interface Trail {
  writes: (Found & { write: OpenWrite })[];
  seed?: Found & { ref: ValueRef };
}

/** Walks the parent chain from the target's parent back to the nearest value of each channel. */
export async function deltaHistory(
  store: CheckpointStore,
  reader: Reader,
  selector: CheckpointSelector | undefined,
  channels: readonly string[],
): Promise<Record<string, DeltaChannelHistory>> {
  for (let attempt = 1; ; attempt++) {
    let target: StoredCheckpoint | undefined;
    try {
      const trails = await walk(store, reader, selector, channels, (stored) => (target = stored));
      return await load(reader, trails);
    } catch (error) {
      // Missing because the thread was deleted between two reads is not damage: look again.
      if (target === undefined || attempt === MAX_GENERATIONS || !(await reader.isGone(target))) throw error;
    }
  }
}

async function walk(
  store: CheckpointStore,
  reader: Reader,
  selector: CheckpointSelector | undefined,
  channels: readonly string[],
  onTarget: (stored: StoredCheckpoint) => void,
): Promise<Map<string, Trail>> {
  const trails = new Map(channels.map((channel): [string, Trail] => [channel, { writes: [] }]));
  if (selector === undefined) return trails;
  let target: Opened | undefined;
  let last: Opened | undefined;
  for await (const stored of ancestorsOf(store, selector)) {
    // The target is opened too: only a record that verifies is trusted about its parent.
    if (target === undefined) onTarget(stored);
    const { open, writes } = (last = reader.opened(stored));
    if (target === undefined) {
      target = last;
      continue;
    }
    const found = { key: keyOf(stored), stored };
    for (const [channel, trail] of trails) {
      if (trail.seed !== undefined) continue;
      for (const write of writes.toReversed())
        if (write.channel === channel) trail.writes.push({ ...found, write });
      const held = open.channels.get(channel);
      if (held !== undefined) trail.seed = { ...found, ref: held.ref };
    }
    if ([...trails.values()].every(({ seed }) => seed !== undefined)) return trails;
  }
  if (target !== undefined && last!.open.parentId !== undefined) await assertComplete(reader, target, trails);
  return trails;
}

/** The chain ends at an ancestor that was deleted. What a channel has of it would be a part that looks like the whole. */
async function assertComplete(reader: Reader, target: Opened, trails: Map<string, Trail>): Promise<void> {
  const { metadata } = await reader.skeleton(target);
  for (const channel of deltaChannels(metadata, target)) {
    const trail = trails.get(channel);
    if (trail === undefined || trail.seed !== undefined) continue;
    const place = { ...errorPlace(keyOf(target.stored)), channel };
    throw damaged(place, `ancestors that hold a part of channel ${quoteId(channel)} are missing`);
  }
}

/** The selected checkpoint, then its ancestors, nearest first. */
export async function* ancestorsOf(
  store: CheckpointStore,
  selector: CheckpointSelector,
): AsyncGenerator<StoredCheckpoint> {
  const visited = new Set<string>();
  let from: CheckpointSelector | undefined = selector;
  while (from !== undefined) {
    const page: Awaited<ReturnType<CheckpointStore["listAncestors"]>> = await store.listAncestors({
      ...from,
      limit: PAGE,
    });
    for (const stored of page.items) {
      const { checkpointId } = keyOf(stored);
      if (visited.has(checkpointId)) return;
      visited.add(checkpointId);
      yield stored;
    }
    from = page.cursor === undefined ? undefined : { ...selector, checkpointId: page.cursor };
  }
}

/** All chunks of all channels in one round trip, then the values, oldest first. */
async function load(
  reader: Reader,
  trails: Map<string, Trail>,
): Promise<Record<string, DeltaChannelHistory>> {
  const all = [...trails.values()];
  const found = all.flatMap(({ writes, seed }) => [...writes, ...(seed ? [seed] : [])]);
  const [any] = found;
  const chunks = any && reader.chunkReader(any.stored);
  await chunks?.fetch(found.map((item) => ("write" in item ? item.write.ref : item.ref)));
  const result: Record<string, DeltaChannelHistory> = {};
  for (const [channel, { writes, seed }] of trails) {
    const history: DeltaChannelHistory = { writes: [] };
    for (const { key, write } of writes.toReversed()) {
      history.writes.push([write.taskId, channel, await reader.loadWrite(key, write, chunks!)]);
    }
    if (seed !== undefined) history.seed = await reader.loadChannel(seed.key, channel, seed.ref, chunks!);
    Object.defineProperty(result, channel, {
      value: history,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return result;
}
