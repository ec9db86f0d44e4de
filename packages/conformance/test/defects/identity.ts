import { posix } from "node:path";
import type { RunnableConfig } from "@langchain/core/runnables";

import { SnapshotSaver } from "../savers/architectures.js";
import type { CheckpointRecord } from "../savers/storage.js";
import { defect, type Defect } from "./defect.js";

/** A saver that writes every id in its own way, and takes two that come out alike for one. */
function spelling(spell: (id: string) => string) {
  return class extends SnapshotSaver {
    protected override key(...parts: string[]): string {
      return super.key(...parts.map(spell));
    }
  };
}

export const identityDefects: Defect[] = [
  defect(
    "identity.parts-do-not-run-together",
    "joins the parts of a key with a colon",
    "`${thread}:${ns}:${id}`, and a namespace of LangGraph's own is full of colons.",
    class extends SnapshotSaver {
      protected override key(...parts: string[]): string {
        return parts.join(":");
      }
    },
  ),
  defect(
    "ids.separators",
    "replaces what is no letter or digit",
    "Ids are made fit for file names by replacing every odd character with an underscore.",
    spelling((id) => id.replaceAll(/[^a-z0-9-]/gi, "_")),
  ),
  defect(
    "ids.cases",
    "ignores case",
    "A case-insensitive collation or file system.",
    spelling((id) => id.toLowerCase()),
  ),
  defect(
    "ids.normal-forms",
    "normalises unicode",
    "The file system, or a well-meant `normalize()`.",
    spelling((id) => id.normalize("NFC")),
  ),
  defect(
    "ids.other-planes",
    "drops characters beyond the basic plane",
    "MySQL's `utf8`, which has three bytes a character.",
    spelling((id) => id.replaceAll(/[\u200b\u{10000}-\u{10ffff}]/gu, "")),
  ),
  defect(
    "ids.ten-thousand-characters",
    "cuts ids off at 255 characters",
    "VARCHAR(255), in a mode that truncates silently.",
    spelling((id) => id.slice(0, 255)),
  ),
  defect(
    "ids.prefixes",
    "trims ids",
    "CHAR columns, and helpers that tidy up input.",
    spelling((id) => id.trim()),
  ),
  defect(
    "ids.file-names",
    "treats ids as paths",
    "`path.join(root, thread)`, which resolves `.` and `..`.",
    spelling((id) => posix.normalize(`/${id}`)),
  ),
  defect(
    "ids.patterns",
    "treats a thread id as a pattern",
    "`WHERE thread_id LIKE ?` in list.",
    class extends SnapshotSaver {
      protected override selects(query: { thread?: string }, record: CheckpointRecord): boolean {
        const { thread, ...rest } = query;
        const all = thread === "%" || thread === "*";
        return super.selects(all ? rest : query, record);
      }
    },
  ),
  defect(
    "ids.object-members",
    "refuses the names of Object's members",
    "Threads are properties of a plain object, and the names that would break it are forbidden.",
    class extends SnapshotSaver {
      protected override checkId(name: string, id: unknown): string {
        if (typeof id === "string" && id in {}) throw new Error(`${name} is reserved`);
        return super.checkId(name, id);
      }
    },
  ),
  defect(
    "ids.words-for-nothing",
    "takes the word null for no thread",
    "Ids arrive from a query string, where absence is spelt `null` or `undefined`.",
    class extends SnapshotSaver {
      protected override threadId(thread: unknown): string {
        return super.threadId(thread === "null" || thread === "undefined" ? "" : thread);
      }
    },
  ),
  defect(
    "identity.lone-surrogates",
    "stores ids as UTF-8",
    "Encoding replaces what is not well-formed, and nobody looked at what came out.",
    class extends SnapshotSaver {
      protected override threadId(thread: unknown): string {
        return Buffer.from(super.threadId(thread), "utf8").toString("utf8");
      }
    },
  ),
  defect(
    "identity.numeric-thread",
    "keeps numeric thread ids apart from text",
    'The id goes into the document as it came, and 42 is not "42" to the database.',
    class extends SnapshotSaver {
      protected override threadId(thread: unknown): string {
        return typeof thread === "number" ? `number ${thread}` : super.threadId(thread);
      }
    },
  ),
  defect(
    "identity.thread-ts-alias",
    "does not know thread_ts",
    "Reads `configurable.checkpoint_id` itself instead of calling getCheckpointId.",
    class extends SnapshotSaver {
      protected override placeOf(config: RunnableConfig) {
        const { thread_ts: _, ...configurable } = config.configurable ?? {};
        return super.placeOf({ configurable });
      }
    },
  ),
  defect(
    "identity.namespace-is-no-prefix",
    "matches a namespace as a prefix",
    "A range scan over `ns…` to find a subgraph's checkpoints.",
    class extends SnapshotSaver {
      protected override inNamespace(record: CheckpointRecord, namespace: string): boolean {
        return namespace === "" ? record.namespace === "" : record.namespace.startsWith(namespace);
      }
    },
  ),
  defect(
    "identity.list-without-namespace-is-all",
    "lists the root namespace when none is named",
    '`checkpoint_ns ?? ""`, copied from getTuple.',
    class extends SnapshotSaver {
      protected override selects(query: { namespace?: string }, record: CheckpointRecord): boolean {
        return super.selects({ ...query, namespace: query.namespace ?? "" }, record);
      }
    },
  ),
  defect(
    "identity.no-thread-reads",
    "throws from getTuple without a thread",
    "The check of put was put into the one function that reads configs.",
    class extends SnapshotSaver {
      protected override placeOf(config: RunnableConfig) {
        const place = super.placeOf(config);
        if (place.thread === undefined) throw new Error("thread_id is required");
        return place;
      }
    },
  ),
  defect(
    "identity.no-thread-is-refused",
    "puts into a default thread",
    '`thread_id ?? "default"`, to be friendly.',
    class extends SnapshotSaver {
      protected override placeToWrite(config: RunnableConfig) {
        const { thread = "default", namespace = "", id } = this.placeOf(config);
        return { thread, namespace, id };
      }
    },
  ),
  defect(
    "identity.three-parts",
    "leaves the namespace out of the key",
    "Checkpoint ids look unique, so (thread, id) seems enough.",
    class extends SnapshotSaver {
      protected override key(...parts: string[]): string {
        return parts.length === 3 ? super.key(parts[0]!, parts[2]!) : super.key(...parts);
      }
    },
  ),
  defect(
    "identity.no-namespace-is-the-root",
    "writes a missing namespace as the word undefined",
    "`${checkpoint_ns}` in a template.",
    class extends SnapshotSaver {
      protected override placeToWrite(config: RunnableConfig) {
        const place = super.placeToWrite(config);
        return { ...place, namespace: String(config.configurable?.["checkpoint_ns"]) };
      }
    },
  ),
  defect(
    "identity.writes-need-a-checkpoint",
    "stores writes without a checkpoint",
    "The missing id is written as an empty one.",
    class extends SnapshotSaver {
      protected override placeToWrite(config: RunnableConfig) {
        const place = super.placeToWrite(config);
        return { ...place, id: place.id ?? "" };
      }
    },
  ),
];
