import { isSaverError, type SaverErrorCode } from "../errors.js";
import type { Reader } from "../saver/reader.js";
import type { CheckpointKey, CheckpointStore } from "../store/port.js";

/** What `verify` found. */
export interface VerifyReport {
  /** Checkpoints that were read whole: every value, write and chunk. */
  intact: number;
  problems: VerifyProblem[];
}

export interface VerifyProblem {
  /** Absent where a whole thread, or the store, cannot be read. */
  threadId?: string;
  checkpointNs?: string;
  checkpointId?: string;
  code: SaverErrorCode;
  message: string;
}

const PAGE = 100;

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
  for (let after: string | undefined; ;) {
    const page = await store.listThreads({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    for (const thread of page.items) await verifyThread(store, reader, thread.threadId, report);
    if (page.cursor === undefined) return report;
    after = page.cursor;
  }
}

async function verifyThread(
  store: CheckpointStore,
  reader: Reader,
  threadId: string,
  report: VerifyReport,
): Promise<void> {
  try {
    for (let cursor: string | undefined; ;) {
      const page = await store.listCheckpoints({
        threadId,
        limit: PAGE,
        ...(cursor === undefined ? {} : { cursor }),
      });
      for (const { namespace, checkpointId } of page.items)
        await verifyCheckpoint(reader, { threadId, namespace, checkpointId: checkpointId! }, report);
      if (page.cursor === undefined) return;
      cursor = page.cursor;
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
