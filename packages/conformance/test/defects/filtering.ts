import { isDeepStrictEqual } from "node:util";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { CheckpointListOptions, CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { SnapshotSaver } from "../savers/architectures.js";
import { defect, type Defect } from "./defect.js";

type Metadata = Record<string, unknown>;

/** A saver that compares one stored value with one that is asked for in its own way. */
function comparing(equals: (stored: unknown, wanted: unknown) => boolean) {
  return class extends SnapshotSaver {
    protected override matches(metadata: Metadata, filter: Metadata): boolean {
      return Object.entries(filter).every(
        ([key, wanted]) => Object.hasOwn(metadata, key) && equals(metadata[key], wanted),
      );
    }
  };
}

export const filteringDefects: Defect[] = [
  defect(
    "filter.every-key",
    "is content with one key that matches",
    "OR where AND is meant.",
    class extends SnapshotSaver {
      protected override matches(metadata: Metadata, filter: Metadata): boolean {
        const entries = Object.entries(filter);
        return (
          entries.length === 0 || entries.some(([key, wanted]) => isDeepStrictEqual(metadata[key], wanted))
        );
      }
    },
  ),
  defect(
    "filter.langgraph-keys",
    "does not find LangGraph's own keys",
    "source and step have columns of their own, and the filter looks in the JSON of the rest.",
    class extends SnapshotSaver {
      protected override matches(metadata: Metadata, filter: Metadata): boolean {
        const { source: _, step: __, ...rest } = metadata;
        return super.matches(rest, filter);
      }
    },
  ),
  defect(
    "filter.strict-scalars",
    "compares as text",
    "`json_extract(metadata, …) = ?`, with everything bound as text.",
    comparing((stored, wanted) =>
      typeof wanted === "object"
        ? isDeepStrictEqual(stored, wanted)
        : JSON.stringify(stored).replaceAll('"', "") === JSON.stringify(wanted).replaceAll('"', ""),
    ),
  ),
  defect(
    "filter.exact-strings",
    "ignores case",
    "A case-insensitive collation.",
    comparing((stored, wanted) =>
      typeof stored === "string" && typeof wanted === "string"
        ? stored.toLowerCase() === wanted.toLowerCase()
        : isDeepStrictEqual(stored, wanted),
    ),
  ),
  defect(
    "filter.null-is-stored-null",
    "finds what has no such key by null",
    "`{ k: null }` in MongoDB matches documents without k.",
    class extends SnapshotSaver {
      protected override matches(metadata: Metadata, filter: Metadata): boolean {
        return Object.entries(filter).every(([key, wanted]) =>
          isDeepStrictEqual(metadata[key] ?? null, wanted),
        );
      }
    },
  ),
  defect(
    "filter.deep-objects",
    "compares objects as JSON",
    "JSON.stringify on both sides, which keeps the order of keys.",
    comparing((stored, wanted) => JSON.stringify(stored) === JSON.stringify(wanted)),
  ),
  defect(
    "filter.arrays-are-not-searched",
    "searches inside arrays",
    '`{ k: "a" }` in MongoDB matches an array that holds it.',
    comparing(
      (stored, wanted) =>
        isDeepStrictEqual(stored, wanted) ||
        (Array.isArray(stored) && stored.some((each) => isDeepStrictEqual(each, wanted))),
    ),
  ),
  defect(
    "filter.dotted-keys",
    "reads a dotted key as a path",
    "`metadata.${key}` in MongoDB.",
    class extends SnapshotSaver {
      protected override matches(metadata: Metadata, filter: Metadata): boolean {
        return Object.entries(filter).every(([key, wanted]) => {
          const at = key
            .split(".")
            .reduce<unknown>((value, part) => (value as Metadata | undefined)?.[part], metadata);
          return isDeepStrictEqual(at, wanted);
        });
      }
    },
  ),
  defect(
    "filter.dollar-keys",
    "follows operators in the filter",
    "The filter goes to the database as it came.",
    comparing((stored, wanted) => {
      const operator = typeof wanted === "object" && wanted !== null ? Object.entries(wanted)[0] : undefined;
      if (operator?.[0] === "$ne") return stored !== operator[1];
      if (operator?.[0] === "$exists") return (stored !== undefined) === operator[1];
      return isDeepStrictEqual(stored, wanted);
    }),
  ),
  defect(
    "filter.names-of-object-members",
    "copies metadata key by key",
    "`copy[key] = value`, which sets the prototype for one key.",
    class extends SnapshotSaver {
      protected override matches(metadata: Metadata, filter: Metadata): boolean {
        const copy: Metadata = {};
        for (const [key, value] of Object.entries(metadata)) copy[key] = value;
        return super.matches(copy, filter);
      }
    },
  ),
  defect(
    "filter.large-metadata",
    "does not find long values",
    "An index leaves out what is longer than its limit.",
    comparing(
      (stored, wanted) => JSON.stringify(stored ?? null).length < 2704 && isDeepStrictEqual(stored, wanted),
    ),
  ),
  defect(
    "filter.across-threads",
    "filters inside a thread only",
    "Without a thread another query is made, and the filter was forgotten there.",
    class extends SnapshotSaver {
      override async *list(
        config: RunnableConfig,
        { filter, ...rest }: CheckpointListOptions = {},
      ): AsyncGenerator<CheckpointTuple> {
        const inThread = this.placeOf(config).thread !== undefined;
        yield* super.list(config, inThread && filter ? { ...rest, filter } : rest);
      }
    },
  ),
  defect(
    "timeTravel.pages-and-filters",
    "returns nothing when it is to filter",
    "A filter that is not supported yet.",
    class extends SnapshotSaver {
      protected override matches(_metadata: Metadata, filter: Metadata): boolean {
        return Object.keys(filter).length === 0;
      }
    },
  ),
];
