import { createHash } from "node:crypto";

import type { Draft } from "./map-saver.js";
import { PruningSaver } from "./pruning-saver.js";
import type { CheckpointRecord, Stored } from "./storage.js";

/** Every checkpoint holds its whole state, as the official SQLite and MongoDB savers do. */
export class SnapshotSaver extends PruningSaver {
  protected keep(_draft: Draft, _channel: string, value: Stored): unknown {
    return value;
  }

  protected recall(_record: CheckpointRecord, _channel: string, ref: unknown): Stored | undefined {
    return ref as Stored;
  }
}

/** A value is stored once per channel and version, as in Postgres, and by the checkpoint that wrote it: versions collide. */
export class ChannelSaver extends PruningSaver {
  protected keep(draft: Draft, channel: string, value: Stored): unknown {
    const ref = this.valueKey(draft, channel);
    this.storage.valuesOf(draft.thread).set(ref, value);
    return ref;
  }

  protected recall(record: CheckpointRecord, _channel: string, ref: unknown): Stored | undefined {
    return this.storage.valuesOf(record.thread).get(ref as string);
  }

  protected valueKey({ namespace, id, skeleton }: Draft, channel: string): string {
    return this.key(namespace, channel, String(skeleton.channel_versions[channel]), id);
  }
}

/** A value is stored once per thread by the hash of its content, before the record that refers to it. */
export class ContentSaver extends PruningSaver {
  protected override async commit(draft: Draft): Promise<void> {
    await this.reach();
    for (const [channel, value] of draft.values) this.keep(draft, channel, value);
    await super.commit(draft);
  }

  // Kept again with the record: a deletion in between would have left it without its values.
  protected keep(draft: Draft, _channel: string, value: Stored): unknown {
    const hash = this.hash(value);
    this.storage.valuesOf(this.scope(draft)).set(hash, value);
    return hash;
  }

  protected recall(record: CheckpointRecord, _channel: string, ref: unknown): Stored | undefined {
    return this.storage.valuesOf(this.scope(record)).get(ref as string);
  }

  protected scope({ thread }: { thread: string }): string {
    return thread;
  }

  protected hash([type, data]: Stored): string {
    return createHash("sha256").update(type).update("\0").update(data).digest("hex");
  }
}
