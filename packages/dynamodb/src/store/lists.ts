import { compareIds, type ListQuery, type Page, type StoredCheckpoint } from "@langgraph-savers/core";

import { inParallel } from "../retry.js";
import { PARALLEL } from "../table/table.js";
import { isFound, type Found, type Group, type Groups } from "./groups.js";
import { keyOf } from "./items.js";
import { below, checkpointKey, CHECKPOINTS, endOf, idPart, namespacePrefix } from "./keys.js";

/** Items per request: a checkpoint has an item of its own and, in most graphs, one or two of writes. */
const ITEMS_PER_CHECKPOINT = 3;
const LARGEST_REQUEST = 1_000;
const DISCOVERY = 200;

/** Where a page ended, and the namespaces that may have more. */
interface Cursor {
  checkpointId: string;
  namespace: string;
  namespaces?: string[];
}

/** The checkpoints of one namespace, newest first, read as they are asked for. */
interface Lane {
  namespace: string;
  next(): Promise<Found | undefined>;
}

/** Lists the checkpoints of one thread: one lane per namespace, merged. */
export class Lists {
  readonly #groups: Groups;

  constructor(groups: Groups) {
    this.#groups = groups;
  }

  async list(query: ListQuery & { threadId: string }): Promise<Page<StoredCheckpoint>> {
    const cursor = query.cursor === undefined ? undefined : (JSON.parse(query.cursor) as Cursor);
    const namespaces =
      query.namespace === undefined
        ? (cursor?.namespaces ?? (await this.#namespaces(query.threadId)))
        : [query.namespace];
    const lanes = namespaces.map((namespace) => this.#lane(query, namespace, cursor));
    const heads = new Map<Lane, Found>();
    const advance = async (lane: Lane): Promise<void> => {
      const head = await lane.next();
      if (head === undefined) heads.delete(lane);
      else heads.set(lane, head);
    };
    await inParallel(lanes, PARALLEL, advance);

    const items: Found[] = [];
    while (items.length < query.limit && heads.size > 0) {
      const [lane, head] = [...heads].reduce((best, each) =>
        newestFirst(each[1], best[1]) < 0 ? each : best,
      );
      items.push(head);
      await advance(lane);
    }
    const last = items.at(-1);
    if (last === undefined || heads.size === 0) return { items };
    const { checkpointId, namespace } = last;
    const left = [...heads.keys()].map((lane) => lane.namespace);
    return {
      items,
      cursor: JSON.stringify({ checkpointId, namespace, namespaces: left } satisfies Cursor),
    };
  }

  #lane(query: ListQuery & { threadId: string }, namespace: string, cursor: Cursor | undefined): Lane {
    const { threadId, before, checkpointId, limit } = query;
    const wanted = ({ checkpoint }: Group): boolean => {
      const id = checkpoint && keyOf(checkpoint).checkpointId;
      if (id === undefined || (checkpointId !== undefined && id !== checkpointId)) return false;
      if (before !== undefined && compareIds(id, before) >= 0) return false;
      return cursor === undefined || newestFirst(cursor, { checkpointId: id, namespace }) < 0;
    };
    const size = Math.min(LARGEST_REQUEST, (limit + 1) * ITEMS_PER_CHECKPOINT);
    const pages = this.#groups.read(threadId, rangeOf(query, namespace, cursor), [size]);
    let ready: Group[] = [];
    return {
      namespace,
      next: async () => {
        for (;;) {
          const group = ready.shift();
          if (group !== undefined) {
            const stored = await this.#groups.open(threadId, group);
            if (isFound(stored)) return stored;
            continue;
          }
          const page = await pages.next();
          if (page.done === true) return undefined;
          ready = page.value.groups.filter(wanted);
        }
      },
    };
  }

  /**
   * The namespaces of a thread. A request reads a run of keys downwards; what is left of the last namespace in it is
   * skipped. Many small namespaces take few requests, and a large one takes one.
   */
  async #namespaces(threadId: string): Promise<string[]> {
    const found: string[] = [];
    const lowest = namespacePrefix("");
    for (let to = endOf(CHECKPOINTS); ;) {
      const before = found.length;
      for await (const { groups } of this.#groups.read(threadId, { from: CHECKPOINTS, to }, [DISCOVERY])) {
        for (const group of groups) {
          const { namespace } = keyOf(group.checkpoint ?? group.writes[0]!);
          if (found.at(-1) !== namespace) found.push(namespace);
        }
        if (found.length > before) break;
      }
      if (found.length === before) return found;
      to = namespacePrefix(found.at(-1)!);
      if (to === lowest) return found;
    }
  }
}

function rangeOf(
  query: ListQuery,
  namespace: string,
  cursor: Cursor | undefined,
): { from: string; to: string } {
  const prefix = namespacePrefix(namespace);
  if (query.checkpointId !== undefined) {
    const key = checkpointKey({ namespace, checkpointId: query.checkpointId });
    return { from: key, to: endOf(key) };
  }
  const ends = [endOf(prefix)];
  if (query.before !== undefined) ends.push(below(namespace, query.before));
  if (cursor !== undefined) ends.push(endOf(checkpointKey({ namespace, checkpointId: cursor.checkpointId })));
  return { from: prefix, to: ends.toSorted(compareIds)[0]! };
}

/** Greatest checkpoint id first, in the order of keys; among equals by namespace. */
function newestFirst(
  a: { checkpointId: string; namespace: string },
  b: { checkpointId: string; namespace: string },
): number {
  return compareIds(idPart(b.checkpointId), idPart(a.checkpointId)) || compareIds(a.namespace, b.namespace);
}
