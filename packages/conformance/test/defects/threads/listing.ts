import type { ThreadInfo } from "../../../src/index.js";
import { SnapshotSaver } from "../../savers/architectures.js";
import type { CheckpointRecord } from "../../savers/storage.js";
import { defect, type Defect } from "../defect.js";

export const listingThreadsDefects: Defect[] = [
  defect(
    "listThreads.each-thread-once",
    "lists a thread once for each namespace",
    "SELECT DISTINCT thread_id, checkpoint_ns.",
    class extends SnapshotSaver {
      protected override threads(): string[] {
        return super.threads().flatMap((id) => this.namespacesOf(this.recordsOf(id)).map(() => id));
      }
    },
  ),
  defect(
    "listThreads.what-it-says",
    "counts the root namespace",
    "Subgraphs are an implementation detail of the graph.",
    class extends SnapshotSaver {
      protected override namespacesOf(records: CheckpointRecord[]): string[] {
        return super.namespacesOf(records.filter(({ namespace }) => namespace === ""));
      }
    },
  ),
  defect(
    "listThreads.only-with-a-checkpoint",
    "lists threads of which there are writes only",
    "The union of both tables.",
    class extends SnapshotSaver {
      protected override threads(): string[] {
        const written = Array.from(this.storage.writes.values(), ({ thread }) => thread);
        return [...new Set([...super.threads(), ...written])].toSorted();
      }
      protected override async infoOf(thread: string): Promise<ThreadInfo | undefined> {
        const never = new Date(0);
        return (
          (await super.infoOf(thread)) ?? {
            threadId: thread,
            createdAt: never,
            updatedAt: never,
            namespaces: [],
            checkpoints: 0,
            bytes: 0,
            lastStep: undefined,
            lastSource: undefined,
          }
        );
      }
    },
  ),
  defect(
    "listThreads.prefix",
    "takes a prefix for a pattern",
    "thread_id LIKE prefix || '%', and nothing escaped.",
    class extends SnapshotSaver {
      protected override hasPrefix(thread: string, prefix: string): boolean {
        const pattern = Array.from(prefix).map((letter) =>
          letter === "%"
            ? ".*"
            : letter === "_"
              ? "."
              : letter.replace(/[.*+?^$()[\]{}|\\]/, String.raw`\$&`),
        );
        return new RegExp(`^${pattern.join("")}`, "s").test(thread);
      }
    },
  ),
  defect(
    "listThreads.pages",
    "starts a page with the last one of the page before",
    "thread_id >= after.",
    class extends SnapshotSaver {
      protected override isAfter(thread: string, last: string): boolean {
        return thread >= last;
      }
    },
  ),
  defect(
    "listThreads.many",
    "lists the first page",
    "The driver gives at most a hundred, and a cursor that nobody follows.",
    class extends SnapshotSaver {
      protected override threads(): string[] {
        return super.threads().slice(0, 100);
      }
    },
  ),
  defect(
    "listThreads.updated-since",
    "asks when a thread was begun",
    "There is an index on created_at.",
    class extends SnapshotSaver {
      protected override isSince({ createdAt }: ThreadInfo, since: number): boolean {
        return createdAt.getTime() >= since;
      }
    },
  ),
  defect(
    "listThreads.bad-input",
    "lists nothing for a negative limit",
    "The loop ends before it begins.",
    class extends SnapshotSaver {
      protected override checkCount(): void {}
    },
  ),
  defect(
    "threadInfo.as-in-the-list",
    "counts otherwise than the list does",
    "Two queries for the same thing.",
    class extends SnapshotSaver {
      override async threadInfo(threadId: string): Promise<ThreadInfo | undefined> {
        const info = await super.threadInfo(threadId);
        const root = this.recordsOf(threadId).filter(({ namespace }) => namespace === "");
        return info && { ...info, checkpoints: root.length };
      }
    },
  ),
  defect(
    "threadInfo.follows-what-happens",
    "remembers the info of a thread",
    "It is dear to count.",
    class extends SnapshotSaver {
      private readonly known = new Map<string, ThreadInfo>();
      protected override async infoOf(thread: string): Promise<ThreadInfo | undefined> {
        const info = this.known.get(thread) ?? (await super.infoOf(thread));
        if (info !== undefined) this.known.set(thread, info);
        return info;
      }
    },
  ),
  defect(
    "threadInfo.bad-input",
    "makes text of whatever it is given",
    "`${threadId}` in the key.",
    class extends SnapshotSaver {
      override threadInfo(threadId: string): Promise<ThreadInfo | undefined> {
        return super.threadInfo(text(threadId));
      }
    },
  ),
  defect(
    "exists.only-with-a-checkpoint",
    "takes writes for a thread",
    "Any item under the partition key will do.",
    class extends SnapshotSaver {
      override async exists(threadId: string): Promise<boolean> {
        const written = [...this.storage.writes.values()].some(({ thread }) => thread === threadId);
        return written || (await super.exists(threadId));
      }
    },
  ),
  defect(
    "exists.bad-input",
    "finds nothing under undefined",
    "No thread is called undefined.",
    class extends SnapshotSaver {
      override exists(threadId: string): Promise<boolean> {
        return super.exists(text(threadId));
      }
    },
  ),
  defect(
    "stats.counts-everything",
    "counts threads by their root",
    "WHERE checkpoint_ns = ''.",
    class extends SnapshotSaver {
      override async stats() {
        const root = [...this.storage.checkpoints.values()].filter(({ namespace }) => namespace === "");
        return { ...(await super.stats()), checkpoints: root.length };
      }
    },
  ),
  defect(
    "ping.answers",
    "leaves a sign of life behind",
    "A health check that writes proves more.",
    class extends SnapshotSaver {
      override async ping(): Promise<void> {
        await super.ping();
        const now = new Date().toISOString();
        const checkpoint = {
          v: 4,
          id: now,
          ts: now,
          channel_values: {},
          channel_versions: {},
          versions_seen: {},
        };
        await this.put(
          { configurable: { thread_id: "ping" } },
          checkpoint,
          { source: "update", step: 0, parents: {} },
          {},
        );
      }
    },
  ),
  defect(
    "ping.tells-an-outage",
    "asks nobody",
    "The client object is there, so the database must be.",
    class extends SnapshotSaver {
      override async ping(): Promise<void> {}
    },
  ),
];

/** What a saver makes of an id that it does not check. */
function text(id: unknown): string {
  return String(id);
}
