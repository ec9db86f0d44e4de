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

/** Reads every checkpoint of a thread, or of all, as a graph would, and tells which cannot be. */
export async function verify(
  store: CheckpointStore,
  reader: Reader,
  threadId: string | undefined,
): Promise<VerifyReport> {
  const report: VerifyReport = { intact: 0, problems: [] };
  if (threadId !== undefined) {
    await verifyThread(store, reader, threadId, report);
    return report;
  }
  for await (const { threadId: each } of threadsOf(store)) await verifyThread(store, reader, each, report);
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
      for (const { namespace, checkpointId } of page)
        await verifyCheckpoint(reader, { threadId, namespace, checkpointId: checkpointId! }, report);
    }
  } catch (error) {
    addProblem(report, { threadId }, error);
  }
}

async function verifyCheckpoint(reader: Reader, key: CheckpointKey, report: VerifyReport): Promise<void> {
  try {
    // Gone since it was listed: not a problem.
    if ((await reader.getTuple(key)) !== undefined) report.intact += 1;
  } catch (error) {
    const { threadId, namespace: checkpointNs, checkpointId } = key;
    addProblem(report, { threadId, checkpointNs, checkpointId }, error);
  }
}

/** Damage is what is looked for; whatever else is wrong (an outage, a missing key) ends the search. */
function addProblem(
  report: VerifyReport,
  place: Omit<VerifyProblem, "code" | "message">,
  error: unknown,
): void {
  const expected =
    isSaverError(error) &&
    ["CHECKPOINT_DAMAGED", "VALUE_NOT_READABLE", "FORMAT_TOO_NEW"].includes(error.code);
  if (!expected) throw error;
  report.problems.push({ ...place, code: error.code, message: error.message });
}
