import type { RunnableConfig } from "@langchain/core/runnables";

import { SnapshotSaver } from "../savers/architectures.js";
import type { Draft, MapSaver } from "../savers/map-saver.js";
import type { CheckpointRecord, Place } from "../savers/storage.js";
import { defect, type Defect } from "./defect.js";

type PutArguments = Parameters<MapSaver["put"]>;

export const putDefects: Defect[] = [
  defect(
    "put.config-names-the-parent",
    "stores no parent",
    "The checkpoint_id of the config is taken for the id of what is put, and then ignored.",
    class extends SnapshotSaver {
      protected override parentOf(): string | undefined {
        return undefined;
      }
    },
  ),
  defect(
    "put.returns-three-keys",
    "returns the config it was given",
    "`{ ...config, configurable: { ...config.configurable, checkpoint_id } }`.",
    class extends SnapshotSaver {
      override async put(...args: PutArguments): Promise<RunnableConfig> {
        const { configurable } = await super.put(...args);
        return { ...args[0], configurable: { ...args[0].configurable, ...configurable } };
      }
    },
  ),
  defect(
    "put.whole-skeleton",
    "forgets versions_seen",
    "A table with a column for each field that seemed to matter.",
    class extends SnapshotSaver {
      protected override commitNow(draft: Draft): void {
        super.commitNow({ ...draft, skeleton: { ...draft.skeleton, versions_seen: {} } });
      }
    },
  ),
  defect(
    "put.no-channels",
    "skips a checkpoint that holds nothing",
    "An empty state looks like nothing to store.",
    class extends SnapshotSaver {
      protected override commitNow(draft: Draft): void {
        if (draft.values.size > 0) super.commitNow(draft);
      }
    },
  ),
  defect(
    "put.same-id-is-one-checkpoint",
    "appends a record for every put",
    "INSERT without a unique key.",
    class extends SnapshotSaver {
      protected override commitNow(draft: Draft): void {
        super.commitNow(draft);
        const { thread, namespace, id } = draft;
        const record = this.storage.checkpoints.get(this.key(thread, namespace, id))!;
        this.storage.checkpoints.set(`${this.storage.checkpoints.size}`, record);
      }
    },
  ),
  defect(
    "put.same-id-at-once",
    "looks first and inserts then",
    "SELECT, then INSERT or UPDATE: two at once both insert, and one violates the key.",
    class extends SnapshotSaver {
      protected override async commit(draft: Draft): Promise<void> {
        const key = this.key(draft.thread, draft.namespace, draft.id);
        await this.reach();
        const exists = this.storage.checkpoints.has(key);
        await this.reach();
        if (!exists && this.storage.checkpoints.has(key)) throw new Error("duplicate key");
        this.commitNow(draft);
      }
    },
  ),
  defect(
    "put.same-id-replaces",
    "keeps the first of two puts",
    "ON CONFLICT DO NOTHING.",
    class extends SnapshotSaver {
      protected override commitNow(draft: Draft): void {
        const key = this.key(draft.thread, draft.namespace, draft.id);
        if (!this.storage.checkpoints.has(key)) super.commitNow(draft);
      }
    },
  ),
  defect(
    "put.same-id-keeps-writes",
    "drops the writes of a checkpoint that is put again",
    "INSERT OR REPLACE, with writes that cascade.",
    class extends SnapshotSaver {
      protected override commitNow(draft: Draft): void {
        const key = this.key(draft.thread, draft.namespace, draft.id);
        if (this.storage.checkpoints.has(key)) this.storage.writes.delete(key);
        super.commitNow(draft);
      }
    },
  ),
  defect(
    "put.own-parent-keeps-parent",
    "lets a checkpoint be its own parent",
    "The id of the config is the parent, always: as MemorySaver has it.",
    class extends SnapshotSaver {
      protected override parentOf({ parent }: Draft): string | undefined {
        return parent;
      }
    },
  ),
  defect(
    "durability.exit-no-own-ancestor",
    "cuts the history where a checkpoint is put again",
    "Own parent seen and refused, but the parent that it had is dropped with it.",
    class extends SnapshotSaver {
      protected override parentOf({ id, parent }: Draft, before?: CheckpointRecord): string | undefined {
        return parent === id ? before?.id : parent;
      }
    },
  ),
  defect(
    "put.own-parent-first-put",
    "lets a first put be its own parent",
    "The parent that it had, or else the one that is named.",
    class extends SnapshotSaver {
      protected override parentOf({ id, parent }: Draft, before?: CheckpointRecord): string | undefined {
        return parent === id ? (before?.parent ?? parent) : parent;
      }
    },
  ),
  defect(
    "put.own-parent-keeps-values",
    "loses unchanged values when a checkpoint is put again",
    "Own parent counts as no parent, and without one only what changed is stored.",
    class extends SnapshotSaver {
      protected override carries(draft: Draft, parent: CheckpointRecord | undefined, channel: string) {
        const own = draft.parent === draft.id;
        return own && !draft.changed.has(channel) ? "nowhere" : super.carries(draft, parent, channel);
      }
    },
  ),
  defect(
    "put.config-is-not-serialised",
    "writes the config to an audit log",
    "JSON.stringify(config) meets callbacks, signals and functions.",
    class extends SnapshotSaver {
      override async put(...args: PutArguments): Promise<RunnableConfig> {
        JSON.stringify(args[0]);
        return super.put(...args);
      }
    },
  ),
  defect(
    "put.parent-after-child",
    "wants the parent to be there",
    "A foreign key on parent_id.",
    class extends SnapshotSaver {
      protected override commitNow(draft: Draft): void {
        const { parent, id } = draft;
        if (parent !== undefined && parent !== id && this.carrier(draft) === undefined) {
          throw new Error("foreign key constraint failed");
        }
        super.commitNow(draft);
      }
    },
  ),
  defect(
    "durability.exit-two-interrupts",
    "refuses a checkpoint that is there",
    "A conditional write, `attribute_not_exists(PK)`, to be safe against overwriting.",
    class extends SnapshotSaver {
      protected override commitNow(draft: Draft): void {
        const key = this.key(draft.thread, draft.namespace, draft.id);
        if (this.storage.checkpoints.has(key)) throw new Error("ConditionalCheckFailedException");
        super.commitNow(draft);
      }
    },
  ),
  defect(
    "fork.history-of-all-branches",
    "chains every checkpoint onto the newest",
    "The parent is looked up as the latest of the thread instead of read from the config.",
    class extends SnapshotSaver {
      protected override parentOf({ thread, namespace }: Place): string | undefined {
        return this.latest(thread, namespace)?.id;
      }
    },
  ),
];
