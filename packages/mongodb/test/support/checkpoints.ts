import type { RunnableConfig } from "@langchain/core/runnables";
import type { Checkpoint, CheckpointMetadata } from "@langchain/langgraph-checkpoint";

/** The id of the nth checkpoint: in order, and of the shape LangGraph gives them. */
export function idOf(at: number): string {
  return `1ef00000-0000-6000-8000-${at.toString(16).padStart(12, "0")}`;
}

export function checkpoint(id: string, values: Record<string, unknown>, version = 1): Checkpoint {
  return {
    v: 4,
    id,
    ts: "2026-01-01T00:00:00.000Z",
    channel_values: values,
    channel_versions: Object.fromEntries(Object.keys(values).map((name) => [name, version])),
    versions_seen: {},
  };
}

export function metadata(step = 0): CheckpointMetadata {
  return { source: "loop", step, parents: {} };
}

export function config(threadId: string, checkpointId?: string, namespace = ""): RunnableConfig {
  return {
    configurable: {
      thread_id: threadId,
      checkpoint_ns: namespace,
      ...(checkpointId === undefined ? {} : { checkpoint_id: checkpointId }),
    },
  };
}

/** Text that neither repeats nor compresses to nothing; the same for the same seed. */
export function text(length: number, seed: number): string {
  const bytes = new Uint8Array(length);
  let state = seed | 1;
  for (let at = 0; at < length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state;
  }
  return Buffer.from(bytes).toString("base64").slice(0, length);
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
