import type { SaverErrorCode } from "../error-codes.js";
import { isSaverError } from "../errors.js";
import type { Reader } from "../saver/reader.js";
import type { CheckpointKey, CheckpointStore } from "../store/port.js";
import { pagesOf, threadsOf } from "./parts.js";

/** What `verify` found. */
export interface VerifyReport {
  /** Checkpoints that were read whole: every value, write and chunk. */
  intact: number;
  problems: VerifyProblem[];
}

/** Something that `verify` could not read, and where it is. */
export interface VerifyProblem {
  /** Absent where a whole thread, or the store, cannot be read. */
  threadId?: string;
  checkpointNs?: string;
  checkpointId?: string;
  code: SaverErrorCode;
  message: string;
}

/** Checkpoints that are read at once. */
const AT_ONCE = 8;

/** Reads every checkpoint of a thread, or of all, as a graph would, and tells which cannot be. */
export async function verify(
  store: CheckpointStore,
  reader: Reader,
  threadId: string | undefined,
  onThread?: (threadId: string) => void,
): Promise<VerifyReport> {
  const report: VerifyReport = { intact: 0, problems: [] };
  const one = async (each: string): Promise<void> => {
    await verifyThread(store, reader, each, report);
    onThread?.(each);
  };
  if (threadId !== undefined) await one(threadId);
  else for await (const { threadId: each } of threadsOf(store)) await one(each);
  return report;
}

async function verifyThread(
  store: CheckpointStore,
  reader: Reader,
  threadId: string,
  report: VerifyReport,
): Promise<void> {
  try {
    for await (const page of pagesOf(store, { threadId })) {
      for (let at = 0; at < page.length; at += AT_ONCE) {
        const outcomes = page
          .slice(at, at + AT_ONCE)
          .map(({ namespace, checkpointId }) =>
            verifyCheckpoint(reader, { threadId, namespace, checkpointId: checkpointId! }),
          );
        for (const { intact, problems } of await Promise.all(outcomes)) {
          report.intact += intact;
          report.problems.push(...problems);
        }
      }
    }
  } catch (error) {
    report.problems.push(problemOf({ threadId }, error));
  }
}

async function verifyCheckpoint(reader: Reader, key: CheckpointKey): Promise<VerifyReport> {
  try {
    // Gone since it was listed: not a problem.
    return { intact: (await reader.getTuple(key)) === undefined ? 0 : 1, problems: [] };
  } catch (error) {
    const { threadId, namespace: checkpointNs, checkpointId } = key;
    return { intact: 0, problems: [problemOf({ threadId, checkpointNs, checkpointId }, error)] };
  }
}

/** Damage is what is looked for; whatever else is wrong (an outage, a missing key) ends the search. */
function problemOf(place: Omit<VerifyProblem, "code" | "message">, error: unknown): VerifyProblem {
  const expected =
    isSaverError(error) &&
    ["CHECKPOINT_DAMAGED", "VALUE_NOT_READABLE", "FORMAT_TOO_NEW"].includes(error.code);
  if (!expected) throw error;
  return { ...place, code: error.code, message: error.message };
}
