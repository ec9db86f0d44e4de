import type { RunnableConfig } from "@langchain/core/runnables";
import type { CheckpointListOptions, CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { SnapshotSaver } from "../savers/architectures.js";
import { byText, type Query } from "../savers/map-saver.js";
import type { CheckpointRecord } from "../savers/storage.js";
import { defect, type Defect } from "./defect.js";

type Listing = AsyncGenerator<CheckpointTuple>;

async function all(listing: Listing): Promise<CheckpointTuple[]> {
  const tuples: CheckpointTuple[] = [];
  for await (const tuple of listing) tuples.push(tuple);
  return tuples;
}

export const listingDefects: Defect[] = [
  defect(
    "list.newest-first",
    "lists in the order of writing",
    "No ORDER BY; in a demo the two orders are one.",
    class extends SnapshotSaver {
      override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): Listing {
        const written = [...this.storage.checkpoints.values()].map(({ id }) => id).toReversed();
        const tuples = await all(super.list(config, options));
        yield* tuples.toSorted((a, b) => written.indexOf(a.checkpoint.id) - written.indexOf(b.checkpoint.id));
      }
    },
  ),
  defect(
    "list.across-namespaces-and-threads",
    "lists one thread after the other",
    "As MemorySaver does: newest first inside each, and the limit cuts off whole threads.",
    class extends SnapshotSaver {
      override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): Listing {
        const { limit, ...rest } = options;
        const place = (tuple: CheckpointTuple) => JSON.stringify(tuple.config.configurable?.["thread_id"]);
        const tuples = await all(super.list(config, rest));
        yield* tuples.toSorted((a, b) => byText(place(a), place(b))).slice(0, limit);
      }
    },
  ),
  defect(
    "list.by-code-unit",
    "pages by a locale's order",
    "`before` is compared by the database's collation, and the order is JavaScript's.",
    class extends SnapshotSaver {
      protected override selects(query: Partial<Query>, record: CheckpointRecord): boolean {
        const { before, ...rest } = query;
        const isBefore = before === undefined || record.id.localeCompare(before, "en") < 0;
        return isBefore && super.selects(rest, record);
      }
    },
  ),
  defect(
    "list.unknown-is-empty",
    "fails on an unknown thread",
    "The thread's folder, or table, is not there.",
    class extends SnapshotSaver {
      override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): Listing {
        const { thread } = this.placeOf(config);
        const known = [...this.storage.checkpoints.values()].some((record) => record.thread === thread);
        if (thread !== undefined && !known) throw new Error("ENOENT: no such file or directory");
        yield* super.list(config, options);
      }
    },
  ),
  defect(
    "list.empty-saver",
    "fails before anything is stored",
    "The table is created by the first put.",
    class extends SnapshotSaver {
      override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): Listing {
        if (this.storage.checkpoints.size === 0) throw new Error("no such table: checkpoints");
        yield* super.list(config, options);
      }
    },
  ),
  defect(
    "list.limit-zero",
    "takes limit 0 for no limit",
    "`if (limit)`.",
    class extends SnapshotSaver {
      override async *list(config: RunnableConfig, { limit, ...rest }: CheckpointListOptions = {}): Listing {
        yield* super.list(config, limit ? { ...rest, limit } : rest);
      }
    },
  ),
  defect(
    "list.limit-is-upper-bound",
    "fails when there are fewer than the limit",
    "A page that must be full.",
    class extends SnapshotSaver {
      override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): Listing {
        const tuples = await all(super.list(config, options));
        if (options.limit !== undefined && tuples.length < options.limit)
          throw new RangeError("page incomplete");
        yield* tuples;
      }
    },
  ),
  defect(
    "list.limit-after-filter",
    "limits before it filters",
    "LIMIT in the query, the filter in JavaScript: `Limit` of DynamoDB counts what was read.",
    class extends SnapshotSaver {
      override async *list(config: RunnableConfig, { filter, ...rest }: CheckpointListOptions = {}): Listing {
        for await (const tuple of super.list(config, rest)) {
          if (this.matches(tuple.metadata as Record<string, unknown>, filter ?? {})) yield tuple;
        }
      }
    },
  ),
  defect(
    "list.id-selects-one",
    "ignores the id of the config",
    "list is for threads.",
    class extends SnapshotSaver {
      protected override selects({ id: _, ...query }: Partial<Query>, record: CheckpointRecord): boolean {
        return super.selects(query, record);
      }
    },
  ),
  defect(
    "list.before-compares-ids",
    "wants `before` to be of the same namespace",
    "Its config is read like any other, and one of another namespace matches nothing.",
    class extends SnapshotSaver {
      override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): Listing {
        const { namespace } = this.placeOf(options.before ?? {});
        if (namespace !== undefined && namespace !== this.placeOf(config).namespace) return;
        yield* super.list(config, options);
      }
    },
  ),
  defect(
    "list.before-unknown-id",
    "looks up the checkpoint of `before`",
    "The position of the checkpoint in the list, and none if it is gone.",
    class extends SnapshotSaver {
      override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): Listing {
        const { id } = this.placeOf(options.before ?? {});
        const known = [...this.storage.checkpoints.values()].some((record) => record.id === id);
        if (id !== undefined && !known) return;
        yield* super.list(config, options);
      }
    },
  ),
  defect(
    "list.before-without-id",
    "lists nothing before nothing",
    "`id < undefined` is false.",
    class extends SnapshotSaver {
      override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): Listing {
        if (options.before && this.placeOf(options.before).id === undefined) return;
        yield* super.list(config, options);
      }
    },
  ),
  defect(
    "list.as-get-tuple",
    "lists without writes",
    "The history is shown without them, and one query is saved.",
    class extends SnapshotSaver {
      override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): Listing {
        for await (const tuple of super.list(config, options)) yield { ...tuple, pendingWrites: [] };
      }
    },
  ),
  defect(
    "list.long-history",
    "lists the first page only",
    "A query of DynamoDB ends at a page, and LastEvaluatedKey was not looked at.",
    class extends SnapshotSaver {
      override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): Listing {
        let left = 100;
        for await (const tuple of super.list(config, options)) {
          yield tuple;
          left -= 1;
          if (left === 0) return;
        }
      }
    },
  ),
  defect(
    "list.stop-early",
    "leaves its cursor open when the consumer stops",
    "The cursor is closed after the loop, not in `finally`.",
    class extends SnapshotSaver {
      private cursors = 0;
      override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): Listing {
        this.cursors += 1;
        if (this.cursors > 1) throw new Error("the connection is busy: a cursor is open");
        yield* super.list(config, options);
        this.cursors -= 1;
      }
    },
  ),
  defect(
    "list.interleaved",
    "cannot do anything else while it lists",
    "One connection, and a cursor on it.",
    class extends SnapshotSaver {
      private listing = false;
      override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): Listing {
        this.listing = true;
        try {
          yield* super.list(config, options);
        } finally {
          this.listing = false;
        }
      }
      override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
        if (this.listing) throw new Error("the connection is busy: a cursor is open");
        return super.getTuple(config);
      }
    },
  ),
];
