import {
  compareIds,
  type AncestorQuery,
  type CheckpointSelector,
  type Page,
  type StoredCheckpoint,
} from "@langgraph-savers/core";

import type { Generations } from "./generations.js";
import { isFound, type Found, type Group, type Groups } from "./groups.js";
import { keyOf } from "./items.js";
import { checkpointKey, endOf, idPart, namespacePrefix, within } from "./keys.js";

/**
 * Items per request when the newest checkpoint is wanted: it and the writes of a few tasks. More would cost read units
 * for nothing most of the time; where there are more, the second request reads them.
 */
const NEWEST = [4, 64, 256];
/** A step of a graph has one checkpoint and an item per task. */
const ANCESTORS = 160;

export class Reads {
  readonly #groups: Groups;
  readonly #generations: Generations;

  constructor(groups: Groups, generations: Generations) {
    this.#groups = groups;
    this.#generations = generations;
  }

  async get(selector: CheckpointSelector): Promise<StoredCheckpoint> {
    const { threadId, namespace, checkpointId } = selector;
    const found =
      checkpointId === undefined
        ? await this.#newest(threadId, namespace)
        : await this.#exact(threadId, namespace, checkpointId);
    if (found !== undefined) return found;
    return {
      ...selector,
      generation: this.#generations.guess(threadId),
      checkpoint: undefined,
      writes: [],
    };
  }

  /**
   * The chain is followed in memory: a request reads a run of checkpoints from the wanted one downwards, in which those
   * before it normally are. A parent elsewhere (a fork, an id out of order) starts another run.
   */
  async ancestors(query: AncestorQuery): Promise<Page<StoredCheckpoint>> {
    const { threadId, namespace, limit } = query;
    const { run, isLast } = await this.#run(threadId, namespace, query.checkpointId);
    const items: StoredCheckpoint[] = [];
    const visited = new Set<string>();
    let next = query.checkpointId ?? (await this.#firstOf(threadId, run));
    while (next !== undefined && !visited.has(next) && items.length < limit) {
      const group = run.get(next);
      // The caller may need no more than what there is: let it ask for the next run, if the parent can be in one.
      const isElsewhere = !isLast || compareIds(idPart(next), idPart(items[0]?.checkpointId ?? next)) > 0;
      if (group === undefined && items.length > 0 && isElsewhere) break;
      visited.add(next);
      const stored = group && (await this.#groups.open(threadId, group));
      if (stored === undefined || !isFound(stored)) return { items };
      items.push(stored);
      next = stored.checkpoint.parentId;
    }
    return next === undefined || visited.has(next) ? { items } : { items, cursor: next };
  }

  async #newest(threadId: string, namespace: string): Promise<Found | undefined> {
    const prefix = namespacePrefix(namespace);
    for await (const { groups } of this.#groups.read(threadId, within(prefix), NEWEST)) {
      for (const group of groups) {
        if (group.checkpoint === undefined) continue;
        const stored = await this.#groups.open(threadId, group);
        if (isFound(stored)) return stored;
      }
    }
    return undefined;
  }

  async #exact(
    threadId: string,
    namespace: string,
    checkpointId: string,
  ): Promise<StoredCheckpoint | undefined> {
    const key = checkpointKey({ namespace, checkpointId });
    for await (const { groups } of this.#groups.read(threadId, within(key))) {
      const [group] = groups;
      if (group !== undefined) return this.#groups.open(threadId, group);
    }
    return undefined;
  }

  /** By id: the checkpoint, or the newest one, and as many before it as one request reads. */
  async #run(
    threadId: string,
    namespace: string,
    checkpointId: string | undefined,
  ): Promise<{ run: Map<string, Group>; isLast: boolean }> {
    const prefix = namespacePrefix(namespace);
    const last = checkpointId === undefined ? prefix : checkpointKey({ namespace, checkpointId });
    const run = new Map<string, Group>();
    const range = { from: prefix, to: endOf(last) };
    for await (const { groups, isLast } of this.#groups.read(threadId, range, [ANCESTORS])) {
      for (const group of groups)
        if (group.checkpoint !== undefined) run.set(keyOf(group.checkpoint).checkpointId, group);
      if (run.size > 0) return { run, isLast };
    }
    return { run, isLast: true };
  }

  async #firstOf(threadId: string, run: Map<string, Group>): Promise<string | undefined> {
    for (const [checkpointId, group] of run)
      if (isFound(await this.#groups.open(threadId, group))) return checkpointId;
    return undefined;
  }
}
