import { uuid6, type Checkpoint, type CheckpointMetadata } from "@langchain/langgraph-checkpoint";
import type { RunnableConfig } from "@langchain/core/runnables";

let clock = 0;

/** Deterministic bytes: the same seed gives the same ones in every run. */
export function pseudoRandomBytes(length: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed | 1;
  for (let at = 0; at < length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state;
  }
  return bytes;
}

/** Text that neither repeats nor compresses to nothing. */
export function pseudoRandomText(length: number, seed: number): string {
  return Buffer.from(pseudoRandomBytes(length, seed)).toString("base64").slice(0, length);
}

export function checkpoint(values: Record<string, unknown>, version = 1): Checkpoint {
  return {
    v: 4,
    id: uuid6((clock = (clock + 1) % 16_384)),
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
