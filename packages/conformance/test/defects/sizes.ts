import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";

import { ContentSaver, SnapshotSaver } from "../savers/architectures.js";
import type { Draft, Loaded } from "../savers/map-saver.js";
import { SaverFailure } from "../savers/saver-ground.js";
import type { CheckpointRecord, Stored, WriteRecord } from "../savers/storage.js";
import { defect, type Defect } from "./defect.js";

/** A saver that does something to the text of a value before it is stored. */
function storing(change: (text: string) => string) {
  return class extends SnapshotSaver {
    protected override dump(value: unknown, name: string): Stored {
      const [type, text] = super.dump(value, name);
      return [type, change(text as string)];
    }
  };
}

export const sizeDefects: Defect[] = [
  defect(
    "sizes.around-1024-bytes",
    "measures characters where it means bytes",
    "What is short enough goes into a column of so many bytes; emoji are longer than they look.",
    storing((text) => (text.length <= 1024 ? Buffer.from(text).subarray(0, 1024).toString("utf8") : text)),
  ),
  defect(
    "sizes.around-4096-bytes",
    "loses the byte at the edge of a block",
    "`<` where `<=` is meant.",
    storing((text) => (text.length === 4096 ? `${text.slice(0, -2)}"` : text)),
  ),
  defect(
    "sizes.around-16384-bytes",
    "cuts text into chunks of bytes",
    "A chunk ends in the middle of a character, and each is decoded by itself.",
    storing((text) => {
      const bytes = Buffer.from(text);
      let out = "";
      for (let at = 0; at < bytes.length; at += 16_384)
        out += bytes.subarray(at, at + 16_384).toString("utf8");
      return out;
    }),
  ),
  defect(
    "sizes.around-65536-bytes",
    "has a length of sixteen bits",
    "What is longer than 65,535 is read back modulo that.",
    storing((text) =>
      text.length > 0xffff && text.length < 0x11000 ? JSON.stringify("wrapped around") : text,
    ),
  ),
  defect(
    "sizes.string-of-5-mb",
    "refuses large values",
    "400 KB is the limit of an item of DynamoDB.",
    storing((text) => {
      if (text.length > 400_000) throw new Error("Item size has exceeded the maximum allowed size");
      return text;
    }),
  ),
  defect(
    "sizes.write-of-5-mb",
    "refuses large writes",
    "Values are cut into chunks, writes are not.",
    class extends SnapshotSaver {
      protected override writeRecord(write: Omit<WriteRecord, "idx">, position: number): WriteRecord {
        if (write.value[1].length > 400_000) throw new SaverFailure("SIZE", "the item is too large");
        return super.writeRecord(write, position);
      }
    },
  ),
  defect(
    "sizes.shared-content",
    "knows a value by its beginning and its length",
    "A cheap hash.",
    class extends ContentSaver {
      protected override hash([, data]: Stored): string {
        return `${String(data.slice(0, 64))}${Math.ceil(data.length / 1000)}`;
      }
    },
  ),
  defect(
    "sizes.long-array-edited",
    "stores the difference to the parent by position",
    "What is equal at the same place is left out; the comparison looks at ends only.",
    class extends ContentSaver {
      protected override hash([, data]: Stored): string {
        return `${String(data.slice(0, 200))}${String(data.slice(-200))}${data.length > 100_000}`;
      }
    },
  ),
  defect(
    "sizes.one-repeated-byte",
    "counts runs in sixteen bits",
    "Run-length encoding with a counter that overflows.",
    storing((text) => text.replaceAll(/A{65536,}/g, (run) => "A".repeat(run.length % 65_536))),
  ),
  defect(
    "sizes.many-channels",
    "stores the first 255 channels",
    "A column for each.",
    class extends SnapshotSaver {
      protected override commitNow(draft: Draft): void {
        super.commitNow({ ...draft, values: new Map([...draft.values].slice(0, 255)) });
      }
    },
  ),
  defect(
    "sizes.long-channel-name",
    "cuts channel names off",
    "VARCHAR(255).",
    class extends SnapshotSaver {
      protected override commitNow(draft: Draft): void {
        const values = [...draft.values].map(([channel, value]) => [channel.slice(0, 255), value] as const);
        super.commitNow({ ...draft, values: new Map(values) });
      }
    },
  ),
  defect(
    "sizes.deep-nesting",
    "refuses deep values",
    "MongoDB takes 100 levels.",
    storing((text) => {
      let depth = 0;
      for (const character of text) {
        if (character === "[") depth += 1;
        if (character === "]") depth -= 1;
        if (depth > 180) throw new Error("Document exceeds maximum nested object depth");
      }
      return text;
    }),
  ),
  defect(
    "metadata.large",
    "cuts metadata off",
    "An index entry of 64 KB.",
    class extends SnapshotSaver {
      protected override commitNow(draft: Draft): void {
        const tooLarge = draft.metadata[1].length > 65_536;
        const empty = super.dump({}, "metadata");
        super.commitNow(tooLarge ? { ...draft, metadata: empty } : draft);
      }
    },
  ),
  defect(
    "values.channels-like-object-members",
    "collects channels in a plain object",
    "`values[channel] = value`.",
    class extends SnapshotSaver {
      protected override async tuple(loaded: Loaded): Promise<CheckpointTuple> {
        const tuple = await super.tuple(loaded);
        const values: Record<string, unknown> = {};
        for (const [channel, value] of Object.entries(tuple.checkpoint.channel_values))
          values[channel] = value;
        return { ...tuple, checkpoint: { ...tuple.checkpoint, channel_values: values } };
      }
    },
  ),
  defect(
    "values.absent-object-members",
    "looks channels up in a plain object",
    "`values[channel]` finds Object's own function.",
    class extends SnapshotSaver {
      protected override async tuple(loaded: Loaded): Promise<CheckpointTuple> {
        const tuple = await super.tuple(loaded);
        const { channel_values: values, channel_versions: versions } = tuple.checkpoint;
        for (const channel of Object.keys(versions)) {
          const value: unknown = values[channel];
          if (value !== undefined) values[channel] = value;
        }
        return tuple;
      }
    },
  ),
  defect(
    "messages.long-chat",
    "shares the list of messages between checkpoints",
    "Only what was appended is stored, and every checkpoint reads all of it.",
    class extends SnapshotSaver {
      protected override recall(record: CheckpointRecord, channel: string): Stored | undefined {
        const latest = this.latest(record.thread, record.namespace);
        return super.recall(record, channel, (latest ?? record).refs.get(channel));
      }
    },
  ),
];
