import type { RunnableConfig } from "@langchain/core/runnables";
import type { Checkpoint, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { TASKS } from "@langchain/langgraph-checkpoint";

import { SnapshotSaver } from "../savers/architectures.js";
import type { Draft } from "../savers/map-saver.js";
import type { CheckpointRecord, WriteRecord } from "../savers/storage.js";
import { defect, type Defect } from "./defect.js";

export const readingDefects: Defect[] = [
  defect(
    "getTuple.latest-is-greatest-id",
    "takes the last written for the latest",
    "ORDER BY created_at.",
    class extends SnapshotSaver {
      protected override latest(thread: string, namespace: string): CheckpointRecord | undefined {
        return [...this.storage.checkpoints.values()].findLast(
          (record) => record.thread === thread && record.namespace === namespace,
        );
      }
      protected override commitNow(draft: Draft): void {
        this.storage.checkpoints.delete(this.key(draft.thread, draft.namespace, draft.id));
        super.commitNow(draft);
      }
    },
  ),
  defect(
    "getTuple.latest-by-code-unit",
    "orders ids as a locale does",
    "localeCompare, or a database's default collation.",
    class extends SnapshotSaver {
      protected override compareIds(a: string, b: string): number {
        return a.localeCompare(b, "en");
      }
    },
  ),
  defect(
    "getTuple.latest-of-exact-namespace",
    "takes the latest of any namespace for the root's",
    "The root namespace is empty, and an empty condition is left out.",
    class extends SnapshotSaver {
      protected override inNamespace(record: CheckpointRecord, namespace: string): boolean {
        return namespace === "" || record.namespace === namespace;
      }
    },
  ),
  defect(
    "getTuple.unknown-is-undefined",
    "returns the latest for an unknown id",
    "The nearest checkpoint at or before the id seemed helpful.",
    class extends SnapshotSaver {
      override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
        const found = await super.getTuple(config);
        const { checkpoint_id: _, thread_ts: __, ...configurable } = config.configurable ?? {};
        return found ?? super.getTuple({ configurable });
      }
    },
  ),
  defect(
    "getTuple.three-keys",
    "gives the caller's config back",
    "`config` of the tuple is the config that was asked with.",
    class extends SnapshotSaver {
      override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
        const tuple = await super.getTuple(config);
        return (
          tuple && {
            ...tuple,
            config: { ...config, configurable: { ...config.configurable, ...tuple.config.configurable } },
          }
        );
      }
    },
  ),
  defect(
    "getTuple.get-is-its-checkpoint",
    "overrides get with an older reading",
    "get has a cache of its own, filled at the first call.",
    class extends SnapshotSaver {
      override async get(config: RunnableConfig): Promise<Checkpoint | undefined> {
        const tuple = await super.getTuple(config);
        return tuple && { ...tuple.checkpoint, channel_values: {} };
      }
    },
  ),
  defect(
    "getTuple.reads-own-puts",
    "resolves before it has stored",
    "Writes are queued, and flushed in the background.",
    class extends SnapshotSaver {
      protected override async commit(draft: Draft): Promise<void> {
        void (async () => {
          for (let turn = 0; turn < 4; turn += 1) await this.reach();
          this.commitNow(draft);
        })();
      }
    },
  ),
  defect(
    "pendingSends.sends-from-parent",
    "does not migrate pending sends",
    "As the official MongoDB saver: the format of older versions is another team's.",
    class extends SnapshotSaver {
      protected override sendsOf(): WriteRecord[] {
        return [];
      }
    },
  ),
  defect(
    "pendingSends.greatest-string-version",
    "compares versions as numbers",
    "Math.max.",
    class extends SnapshotSaver {
      protected override greatest(versions: (string | number)[]): string | number {
        return Math.max(...versions.map(Number));
      }
    },
  ),
  defect(
    "pendingSends.of-that-parent-only",
    "collects sends by the parent's id alone",
    "An index on checkpoint_id.",
    class extends SnapshotSaver {
      protected override sendsOf(record: CheckpointRecord): WriteRecord[] {
        if (record.skeleton.v >= 4 || record.parent === undefined) return [];
        return [...this.storage.writes.values()]
          .filter(({ id }) => id === record.parent)
          .flatMap(({ entries }) => [...entries.values()])
          .filter(({ channel }) => channel === TASKS);
      }
    },
  ),
  defect(
    "pendingSends.not-for-v4",
    "migrates every checkpoint",
    "The version is not looked at.",
    class extends SnapshotSaver {
      protected override commitNow(draft: Draft): void {
        super.commitNow({ ...draft, skeleton: { ...draft.skeleton, v: 3 } });
      }
    },
  ),
  defect(
    "subgraphs.stateful-bare-namespace",
    "takes a namespace without an id for the root",
    "Every namespace that was ever seen was `node:uuid`.",
    class extends SnapshotSaver {
      protected override placeOf(config: RunnableConfig) {
        const place = super.placeOf(config);
        if (place.namespace !== undefined && !place.namespace.includes(":")) place.namespace = "";
        return place;
      }
    },
  ),
  defect(
    "subgraphs.two-deep",
    "knows one level of subgraphs",
    "The namespace is cut at the first bar.",
    class extends SnapshotSaver {
      protected override placeOf(config: RunnableConfig) {
        const place = super.placeOf(config);
        if (place.namespace !== undefined) place.namespace = place.namespace.split("|")[0]!;
        return place;
      }
    },
  ),
  defect(
    "subgraphs.several-copies",
    "cuts the id off a namespace",
    "Checkpoints of a node are to be found by the node's name.",
    class extends SnapshotSaver {
      protected override placeOf(config: RunnableConfig) {
        const place = super.placeOf(config);
        if (place.namespace !== undefined) place.namespace = place.namespace.replaceAll(/:[^|]+/g, ":");
        return place;
      }
    },
  ),
  defect(
    "timeTravel.state-as-it-was",
    "ignores the checkpoint that is asked for",
    "getTuple reads the thread's one row.",
    class extends SnapshotSaver {
      override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
        const { checkpoint_id: _, ...configurable } = config.configurable ?? {};
        return super.getTuple({ configurable });
      }
    },
  ),
];
