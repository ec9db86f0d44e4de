import type { SaverErrorCode } from "../../error-codes.js";
import { isSaverError, quoteId, SaverError } from "../../errors.js";
import type { SideName } from "./status.js";

/** The codes that speak of the backend. All others speak of the call or of the data, and would come again elsewhere. */
const OUTAGES: ReadonlySet<SaverErrorCode> = new Set([
  "BACKEND_UNAVAILABLE",
  "BACKEND_REFUSED",
  "ACCESS_DENIED",
  "STORAGE_FULL",
  "SETUP_MISMATCH",
  "SETUP_REQUIRED",
  "SAVER_CLOSED",
]);

/**
 * True where an error means that the side cannot be used now, false where the caller or the data is to blame. Errors of
 * other savers have no codes: they count as outages, but for a run that was aborted.
 */
export function isOutage(error: unknown): boolean {
  if (isSaverError(error)) return OUTAGES.has(error.code);
  return !(error instanceof Error && error.name === "AbortError");
}

export function noAnswer(side: SideName, timeoutMs: number): SaverError {
  return new SaverError(
    "BACKEND_UNAVAILABLE",
    `The ${side} saver did not answer within ${timeoutMs} ms. Whether the call took effect there is not known.`,
  );
}

export function wentDown(side: SideName, cause: unknown): SaverError {
  return new SaverError(
    "BACKEND_UNAVAILABLE",
    `The ${side} saver went down during the call. Whether the call took effect there is not known.`,
    { cause },
  );
}

/** For a thread that cannot be served: what is up has not all of it. */
export function outOfDate(side: SideName, threadId: string, cause: unknown): SaverError {
  return new SaverError(
    "BACKEND_UNAVAILABLE",
    `The ${side} saver has no complete copy of thread ${quoteId(threadId)}, and the other saver is not there to ` +
      "complete it. Try again when both are up.",
    { threadId, cause },
  );
}

/** For a list of all threads while each side lacks some. */
export function noneComplete(): SaverError {
  return new SaverError(
    "BACKEND_UNAVAILABLE",
    "Neither saver has all threads: each has missed some. List single threads, or try again when both are up.",
  );
}

/** For a write in sync mode that the secondary did not take. */
export function notReplicated(threadId: string, stored: boolean, cause: unknown): SaverError {
  const where = stored
    ? "It is stored in the primary, and is passed on when the secondary is back"
    : "Nothing was stored";
  return new SaverError(
    "BACKEND_UNAVAILABLE",
    `The secondary saver is down, so thread ${quoteId(threadId)} cannot be written to both. ${where}. ` +
      'Try again, or set `onSecondaryDown: "degrade"` to go on with the primary alone.',
    { threadId, cause },
  );
}
