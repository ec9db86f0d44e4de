import { plural } from "../render/units.js";
import { configOf, keyOf, type CheckpointName, type OpenStore } from "../stores/store.js";
import { entryOf } from "./entry.js";
import { differences, partsOf } from "./fingerprint.js";
import { putEntry } from "./put-entry.js";
import { marksOf, type SourceThread } from "./source.js";

export interface ThreadOutcome {
  threadId: string;
  /**
   * `"copied"`: all of it is there now, read back and compared. `"same"`: it was there. `"conflict"`: the target has
   * checkpoints that the source has not, and was left alone. `"differs"`: what was read back is not what was written.
   */
  result: "copied" | "same" | "conflict" | "differs";
  checkpoints: number;
  writes: number;
  bytes: number;
  /** In words, for people. */
  problems: string[];
}

export interface CopyThreadOptions {
  /** Only look. */
  dryRun: boolean;
  /** Copy also where the target has checkpoints of its own. */
  merge: boolean;
  signal: AbortSignal;
}

/** Copies what the target lacks of a thread, then reads all of it back. A target that is not there yet is undefined. */
export async function copyThread(
  source: SourceThread,
  target: OpenStore | undefined,
  { dryRun, merge, signal }: CopyThreadOptions,
): Promise<ThreadOutcome> {
  const { threadId, names } = source;
  const outcome: ThreadOutcome = {
    threadId,
    result: "same",
    checkpoints: 0,
    writes: 0,
    bytes: 0,
    problems: [],
  };
  const before = target === undefined ? new Map<string, string>() : await marksOf(target, threadId);
  const known = new Set(names.map(keyOf));
  const foreign = [...before.keys()].filter((key) => !known.has(key));
  if (foreign.length > 0 && !merge) {
    outcome.result = "conflict";
    outcome.problems.push(
      `the target has ${plural(foreign.length, "checkpoint")} of this thread that the source has not`,
    );
    return outcome;
  }
  const expected = new Map<string, { name: CheckpointName; mark: string }>();
  for await (const { entry, mark } of source.entries()) {
    signal.throwIfAborted();
    outcome.checkpoints += 1;
    outcome.writes += entry.tasks.reduce((sum, { writes }) => sum + writes.length, 0);
    outcome.bytes += mark.bytes;
    const { namespace, checkpointId } = entry;
    expected.set(keyOf(entry), { name: { namespace, checkpointId }, mark: mark.hash });
    if (before.get(keyOf(entry)) === mark.hash) continue;
    outcome.result = "copied";
    if (!dryRun && target !== undefined) await putEntry(target.saver, threadId, entry);
  }
  if (dryRun || target === undefined || outcome.result === "same") return outcome;
  outcome.problems = await readBack(source, target, expected);
  if (outcome.problems.length > 0) outcome.result = "differs";
  return outcome;
}

/** In words, what of the thread is not in the target as it is in the source. */
async function readBack(
  source: SourceThread,
  target: OpenStore,
  expected: ReadonlyMap<string, { name: CheckpointName; mark: string }>,
): Promise<string[]> {
  const { threadId } = source;
  const found = await marksOf(target, threadId);
  const problems: string[] = [];
  for (const [key, { name, mark }] of expected) {
    if (found.get(key) === mark) continue;
    const where = `checkpoint ${name.checkpointId}${name.namespace === "" ? "" : ` of ${name.namespace}`}`;
    // A hash that differs may be a matter of the order of keys.
    const [wanted, tuple] = await Promise.all([
      source.parts(name),
      target.saver.getTuple(configOf(threadId, name)),
    ]);
    if (wanted === undefined) continue;
    if (tuple === undefined) problems.push(`${where} is missing`);
    else {
      const unlike = differences(wanted, partsOf(await entryOf(tuple, target)));
      if (unlike.length > 0) problems.push(`${where} differs in ${unlike.join(", ")}`);
    }
  }
  return problems;
}
