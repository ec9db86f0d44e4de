import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { ChannelSaver, SnapshotSaver } from "../savers/architectures.js";
import type { Draft, Loaded, MapSaver } from "../savers/map-saver.js";
import type { CheckpointRecord, Stored } from "../savers/storage.js";
import { defect, type Defect } from "./defect.js";

type Carried = "passed" | "parent" | "nowhere";

/** Keeps a value by its channel and version alone. */
class KeyedByVersion extends ChannelSaver {
  protected override valueKey({ namespace, skeleton }: Draft, channel: string): string {
    return this.key(namespace, channel, String(skeleton.channel_versions[channel]));
  }
}

export const channelDefects: Defect[] = [
  defect(
    "channels.unchanged-keeps-parents-value",
    "stores whatever is passed",
    "newVersions looks like a hint for optimisation.",
    class extends SnapshotSaver {
      protected override carries(): Carried {
        return "passed";
      }
    },
  ),
  defect(
    "mutation.never-returned",
    "stores whatever is passed, with a parent",
    "The rule about newVersions was read as one about checkpoints without a parent.",
    class extends SnapshotSaver {
      protected override carries(
        draft: Draft,
        parent: CheckpointRecord | undefined,
        channel: string,
      ): Carried {
        return draft.parent === undefined ? super.carries(draft, parent, channel) : "passed";
      }
    },
  ),
  defect(
    "channels.carried-down-a-chain",
    "finds a carried value one checkpoint up only",
    "The value is looked up under the parent's id, where a value that was itself carried is not.",
    class extends ChannelSaver {
      protected override carries(
        draft: Draft,
        parent: CheckpointRecord | undefined,
        channel: string,
      ): Carried {
        const carried = super.carries(draft, parent, channel);
        const ref = parent?.refs.get(channel) as string | undefined;
        return carried === "parent" && !ref?.includes(parent!.id) ? "nowhere" : carried;
      }
    },
  ),
  defect(
    "fork.versions-do-not-collide",
    "keys values by channel and version",
    "As the Postgres saver does: two branches both have a version 7.",
    KeyedByVersion,
  ),
  defect(
    "fork.branches-keep-values",
    "keeps the first value of a version",
    "Values are immutable, so ON CONFLICT DO NOTHING; but the key is channel and version.",
    class extends KeyedByVersion {
      protected override keep(draft: Draft, channel: string, value: Stored): unknown {
        const ref = this.valueKey(draft, channel);
        const values = this.storage.valuesOf(draft.thread);
        if (!values.has(ref)) values.set(ref, value);
        return ref;
      }
    },
  ),
  defect(
    "fork.carries-its-own-parents-value",
    "carries the value of the newest checkpoint",
    "The previous checkpoint is taken to be the last one of the thread.",
    class extends SnapshotSaver {
      protected override carrier({ thread, namespace }: Draft): CheckpointRecord | undefined {
        return this.latest(thread, namespace);
      }
      protected override carries(
        draft: Draft,
        parent: CheckpointRecord | undefined,
        channel: string,
      ): Carried {
        return parent !== undefined && !draft.changed.has(channel) ? "parent" : "passed";
      }
    },
  ),
  defect(
    "channels.places-do-not-collide",
    "keeps the values of all threads in one place",
    "A blobs table keyed by channel, version and checkpoint id: ids are unique, are they not.",
    class extends ChannelSaver {
      protected override valueKey({ id, skeleton }: Draft, channel: string): string {
        return this.key(channel, String(skeleton.channel_versions[channel]), id);
      }
      protected override keep(draft: Draft, channel: string, value: Stored): unknown {
        return super.keep({ ...draft, thread: "all" }, channel, value);
      }
      protected override recall(record: CheckpointRecord, channel: string, ref: unknown): Stored | undefined {
        return super.recall({ ...record, thread: "all" }, channel, ref);
      }
    },
  ),
  defect(
    "channels.parent-not-stored",
    "drops unchanged values when the parent is gone",
    "No parent record, nothing to carry: nobody thought of pruning.",
    class extends SnapshotSaver {
      protected override carries(
        draft: Draft,
        parent: CheckpointRecord | undefined,
        channel: string,
      ): Carried {
        const carried = super.carries(draft, parent, channel);
        return parent === undefined && !draft.changed.has(channel) ? "nowhere" : carried;
      }
    },
  ),
  defect(
    "channels.parent-elsewhere",
    "finds the parent by its id alone",
    "An index on checkpoint_id.",
    class extends SnapshotSaver {
      protected override carrier({ parent }: Draft): CheckpointRecord | undefined {
        return [...this.storage.checkpoints.values()].find((record) => record.id === parent);
      }
    },
  ),
  defect(
    "channels.parent-with-writes-only",
    "takes writes for a parent",
    "A query on the partition of the parent finds something, so the parent is there.",
    class extends SnapshotSaver {
      protected override carries(
        draft: Draft,
        parent: CheckpointRecord | undefined,
        channel: string,
      ): Carried {
        const { thread, namespace, parent: parentId } = draft;
        const hasWrites = this.storage.writes.has(this.key(thread, namespace, parentId ?? ""));
        return parent === undefined && hasWrites ? "parent" : super.carries(draft, parent, channel);
      }
    },
  ),
  defect(
    "channels.no-parent-not-in-new-versions",
    "stores unchanged values without a parent",
    "It cannot hurt to have them; LangGraph's own suite says otherwise.",
    class extends SnapshotSaver {
      protected override carries(
        draft: Draft,
        parent: CheckpointRecord | undefined,
        channel: string,
      ): Carried {
        return draft.parent === undefined ? "passed" : super.carries(draft, parent, channel);
      }
    },
  ),
  defect(
    "channels.no-version-is-stored",
    "drops a channel without a version",
    "Values are joined with versions, and what has none falls out of the join.",
    class extends SnapshotSaver {
      protected override carries(
        draft: Draft,
        parent: CheckpointRecord | undefined,
        channel: string,
      ): Carried {
        const versioned = Object.hasOwn(draft.skeleton.channel_versions, channel);
        return versioned ? super.carries(draft, parent, channel) : "nowhere";
      }
    },
  ),
  defect(
    "channels.version-without-value",
    "fills channels without a value with null",
    "LEFT JOIN from versions to values.",
    class extends SnapshotSaver {
      protected override async tuple(loaded: Loaded): Promise<CheckpointTuple> {
        const tuple = await super.tuple(loaded);
        for (const channel of Object.keys(tuple.checkpoint.channel_versions)) {
          if (!Object.hasOwn(tuple.checkpoint.channel_values, channel)) {
            tuple.checkpoint.channel_values[channel] = null;
          }
        }
        return tuple;
      }
    },
  ),
  defect(
    "channels.dropped-channel-is-absent",
    "lays the new values over the parent's",
    "`{ ...parent.values, ...changed }`: nothing is ever removed.",
    class extends SnapshotSaver {
      protected override commitNow(draft: Draft): void {
        const parent = this.carrier(draft);
        super.commitNow(draft);
        const { thread, namespace, id } = draft;
        const { refs } = this.storage.checkpoints.get(this.key(thread, namespace, id))!;
        for (const [channel, ref] of parent?.refs ?? []) if (!refs.has(channel)) refs.set(channel, ref);
      }
    },
  ),
  defect(
    "channels.string-versions",
    "reads versions as numbers",
    "An INTEGER column: every string version is the same NaN, or none.",
    class extends SnapshotSaver {
      protected override commitNow(draft: Draft): void {
        const versions = Object.entries(draft.skeleton.channel_versions);
        const numbers = versions.map(([channel, version]) => [channel, Number(version)] as const);
        super.commitNow({
          ...draft,
          skeleton: { ...draft.skeleton, channel_versions: Object.fromEntries(numbers) },
        });
      }
    },
  ),
  defect(
    "channels.falsy-values-are-values",
    "takes null for absence",
    "`if (value != null)` around the insert.",
    class extends SnapshotSaver {
      override async put(...[config, checkpoint, ...rest]: Parameters<MapSaver["put"]>) {
        const values = Object.entries(checkpoint.channel_values).filter(([, value]) => value != null);
        return super.put(config, { ...checkpoint, channel_values: Object.fromEntries(values) }, ...rest);
      }
    },
  ),
  defect(
    "functional.previous-result",
    "leaves channels with a double underscore out",
    "They look internal, and the state is smaller without them.",
    class extends SnapshotSaver {
      protected override carries(
        draft: Draft,
        parent: CheckpointRecord | undefined,
        channel: string,
      ): Carried {
        return channel.startsWith("__") ? "nowhere" : super.carries(draft, parent, channel);
      }
    },
  ),
];
