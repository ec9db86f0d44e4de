import type { RunnableConfig } from "@langchain/core/runnables";
import {
  uuid6,
  type BaseCheckpointSaver,
  type CheckpointMetadata,
  type CheckpointTuple,
} from "@langchain/langgraph-checkpoint";
import { checkpoint as checkpointAt, config } from "@langgraph-savers/test/checkpoints";

export { config };

let steps = 0;

export function newId(): string {
  return uuid6((steps = (steps + 1) % 16_384));
}

/** Text of letters that neither repeats nor compresses to nothing. */
export function text(length: number, seed: number): string {
  const letters: string[] = [];
  let state = (seed * 2_654_435_761) | 1;
  for (let at = 0; at < length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    letters.push(String.fromCharCode(97 + ((state >>> 0) % 26)));
  }
  return letters.join("");
}

export interface PutOptions {
  parent?: string;
  id?: string;
  namespace?: string;
  /** The id of the run that puts it. */
  run?: string;
  /** Version of each channel; 1 unless told. */
  versions?: Record<string, number>;
  /** The channels that changed; all, unless told. */
  changed?: string[];
}

/** Puts a checkpoint with this state and returns its id. */
export async function put(
  saver: BaseCheckpointSaver,
  threadId: string,
  state: Record<string, unknown>,
  options: PutOptions = {},
): Promise<string> {
  const channels = Object.keys(state);
  const versions = options.versions ?? Object.fromEntries(channels.map((name) => [name, 1]));
  const checkpoint = { ...checkpointAt(options.id ?? newId(), state), channel_versions: versions };
  const metadata: CheckpointMetadata = { source: "loop", step: 1, parents: {} };
  const changed = Object.fromEntries((options.changed ?? channels).map((name) => [name, versions[name]!]));
  const runConfig: RunnableConfig = {
    ...config(threadId, options.parent, options.namespace),
    ...(options.run === undefined ? {} : { metadata: { run_id: options.run } }),
  };
  await saver.put(runConfig, checkpoint, metadata, changed);
  return checkpoint.id;
}

export async function values(
  saver: BaseCheckpointSaver,
  threadId: string,
  id?: string,
): Promise<Record<string, unknown> | undefined> {
  return (await saver.getTuple(config(threadId, id)))?.checkpoint.channel_values;
}

export async function list(
  saver: BaseCheckpointSaver,
  threadId: string,
  limit?: number,
): Promise<CheckpointTuple[]> {
  const tuples: CheckpointTuple[] = [];
  const options = limit === undefined ? {} : { limit };
  for await (const tuple of saver.list(config(threadId), options)) tuples.push(tuple);
  return tuples;
}
