// What tests put by hand. In JavaScript, since the processes of some tests use it too.

/**
 * The id of the nth checkpoint: in order, and of the shape LangGraph gives them.
 *
 * @param {number} at
 */
export function idOf(at) {
  return `1ef00000-0000-6000-8000-${at.toString(16).padStart(12, "0")}`;
}

/**
 * @param {string} id
 * @param {Record<string, unknown>} values
 * @returns {import("@langchain/langgraph-checkpoint").Checkpoint}
 */
export function checkpoint(id, values, version = 1) {
  return {
    v: 4,
    id,
    ts: "2026-01-01T00:00:00.000Z",
    channel_values: values,
    channel_versions: Object.fromEntries(Object.keys(values).map((name) => [name, version])),
    versions_seen: {},
  };
}

/** @returns {import("@langchain/langgraph-checkpoint").CheckpointMetadata} */
export function metadata(step = 0) {
  return { source: "loop", step, parents: {} };
}

/**
 * @param {string} threadId
 * @param {string} [checkpointId]
 * @returns {import("@langchain/core/runnables").RunnableConfig}
 */
export function config(threadId, checkpointId, namespace = "") {
  return {
    configurable: {
      thread_id: threadId,
      checkpoint_ns: namespace,
      ...(checkpointId === undefined ? {} : { checkpoint_id: checkpointId }),
    },
  };
}

/**
 * Bytes that neither repeat nor compress to nothing; the same for the same seed.
 *
 * @param {number} length
 * @param {number} seed
 */
export function noise(length, seed) {
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

/**
 * Text of the same kind.
 *
 * @param {number} length
 * @param {number} seed
 */
export function text(length, seed) {
  return Buffer.from(noise(length, seed)).toString("base64").slice(0, length);
}

/**
 * @template T
 * @param {AsyncIterable<T>} items
 */
export async function collect(items) {
  /** @type {T[]} */
  const all = [];
  for await (const item of items) all.push(item);
  return all;
}
