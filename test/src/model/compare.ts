import { inspect, isDeepStrictEqual } from "node:util";

import { TASKS, type CheckpointTuple } from "@langchain/langgraph-checkpoint";

/** What of a tuple is compared, with plain containers, whatever prototype the saver gave them. */
export function normal(tuple: CheckpointTuple | undefined): unknown {
  if (tuple === undefined) return undefined;
  const { config, parentConfig, metadata, pendingWrites } = tuple;
  const { v, id, ts, versions_seen, ...rest } = tuple.checkpoint;
  const channel_values = { ...rest.channel_values };
  const channel_versions = { ...rest.channel_versions };
  // Sends of old checkpoints: the contract leaves open whether "none" is an empty list, and their version where no
  // channel has one.
  const sends = channel_values[TASKS];
  if (Array.isArray(sends) && sends.length === 0) {
    delete channel_values[TASKS];
    delete channel_versions[TASKS];
  }
  if (Object.keys(channel_versions).every((channel) => channel === TASKS)) delete channel_versions[TASKS];
  return {
    config: { ...config },
    parentConfig: parentConfig ?? null,
    metadata: { ...metadata },
    pendingWrites: pendingWrites ?? [],
    checkpoint: { v, id, ts, versions_seen: { ...versions_seen }, channel_values, channel_versions },
  };
}

/** Fails with both sides shortened: values here run to tens of kilobytes. */
export function same(what: string, got: unknown, wanted: unknown): void {
  if (isDeepStrictEqual(got, wanted)) return;
  const show = (value: unknown): string =>
    inspect(value, { depth: 8, maxStringLength: 60, maxArrayLength: 12, breakLength: 140 });
  throw new Error(`${what}\n  got ${show(got)}\n  wanted ${show(wanted)}`);
}

/**
 * The list is newest first; among equal ids, of several threads or namespaces, the contract sets no order. So the ids
 * must agree one by one, and each tuple must be what the model has at that place, none of them twice.
 */
export function sameList(
  what: string,
  got: CheckpointTuple[],
  wanted: CheckpointTuple[],
  find: (tuple: CheckpointTuple) => CheckpointTuple | undefined,
): void {
  same(
    `${what}: ids`,
    got.map((tuple) => tuple.checkpoint.id),
    wanted.map((tuple) => tuple.checkpoint.id),
  );
  same(
    `${what}: no tuple twice`,
    new Set(got.map((tuple) => JSON.stringify(tuple.config.configurable))).size,
    got.length,
  );
  for (const tuple of got) same(`${what}: ${tuple.checkpoint.id}`, normal(tuple), normal(find(tuple)));
}
