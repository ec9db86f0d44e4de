import { InvalidInputError, isSaverError, SaverError } from "@langgraph-savers/core";

/** What is read off an error of the driver. By shape: two releases of the driver may be loaded at once. */
interface DriverError extends Error {
  code?: unknown;
  errorLabels?: unknown;
  errorLabelSet?: Set<string>;
  writeErrors?: unknown;
  /** In the error of a batch: of its write concern. */
  err?: { code?: unknown };
  /** In the error of a batch: what ended it, where that was no answer of the server. */
  errorResponse?: unknown;
}

const TRANSIENT_NAMES = new Set([
  "MongoNetworkError",
  "MongoNetworkTimeoutError",
  "MongoServerSelectionError",
  // What a call gets that waits for the same first connection, when that fails.
  "MongoTopologyClosedError",
  "MongoPoolClearedError",
  "MongoPoolClearedOnNetworkError",
  "MongoPoolClosedError",
  "MongoWaitQueueTimeoutError",
]);

/** The driver lets some failures of a socket through as they are. */
const TRANSIENT_SYSTEM_CODES = new Set([
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

const TRANSIENT_LABELS = ["RetryableWriteError", "RetryableReadError", "TransientTransactionError"];

/** Elections, shutdowns, network trouble between servers, write conflicts, and two upserts of one key at once. */
const TRANSIENT_CODES = new Set([
  6, 7, 24, 64, 89, 91, 112, 133, 134, 150, 189, 202, 262, 9001, 10107, 11000, 11600, 11602, 13388, 13435,
  13436,
]);

const DUPLICATE_KEY = 11_000;
const DENIED_CODES = new Set([13, 18, 31, 33, 8000]);
const MISMATCH_CODES = new Set([20, 59, 67, 72, 85, 86, 166]);
const TIMEOUT_CODES = new Set([50]);
const TIMEOUT_NAMES = new Set(["MongoOperationTimeoutError"]);

/** True for what goes away by itself; every operation of the store may be repeated. */
export function isTransient(thrown: unknown): boolean {
  const error = unwrapped(thrown);
  if (!isDriverError(error)) return false;
  return (
    TRANSIENT_NAMES.has(error.name) ||
    TRANSIENT_SYSTEM_CODES.has(String(error.code)) ||
    TRANSIENT_LABELS.some((label) => labelsOf(error).includes(label)) ||
    codesOf(error).some((code) => TRANSIENT_CODES.has(code))
  );
}

/** The pack's error for one of the driver's: it names what failed, and neither hosts, credentials nor data. */
export function toSaverError(operation: string, thrown: unknown): unknown {
  const error = unwrapped(thrown);
  if (isSaverError(error) || !isDriverError(error)) return error;
  const codes = codesOf(error);
  const cause = withoutData(error);
  if (codes.some((code) => DENIED_CODES.has(code))) {
    return new SaverError(
      "ACCESS_DENIED",
      `MongoDB refused ${operation}: not authenticated, or without the right to do so. ` +
        "Give the user the `readWrite` role on the saver's database.",
      { cause },
    );
  }
  if (isTransient(error) || TIMEOUT_NAMES.has(error.name) || codes.some((code) => TIMEOUT_CODES.has(code))) {
    return new SaverError(
      "BACKEND_UNAVAILABLE",
      `MongoDB did not complete ${operation} (${error.name}). It was tried again for as long as \`retryTimeoutMs\` ` +
        "allows. Check the server and the network, then call again: every call may be repeated.",
      { cause },
    );
  }
  if (codes.some((code) => MISMATCH_CODES.has(code))) {
    return new SaverError(
      "SETUP_MISMATCH",
      `MongoDB cannot complete ${operation}: what is set up there differs from what the saver needs. ` +
        "Compare the collection's indexes with those in the README, or name another collection.",
      { cause },
    );
  }
  return new SaverError("BACKEND_REFUSED", `MongoDB refused ${operation} (${error.name}). See the cause.`, {
    cause,
  });
}

/** The codes of the error itself and of the statements that failed. */
function codesOf(error: unknown): number[] {
  if (!isDriverError(error)) return [];
  return [error.code, error.err?.code, ...writeErrorsOf(error).map(({ code }) => code)].filter(
    (code): code is number => typeof code === "number",
  );
}

export function writeErrorsOf(error: unknown): { index: number; code: unknown }[] {
  const errors = isDriverError(error) ? error.writeErrors : undefined;
  if (errors === undefined || errors === null) return [];
  return (Array.isArray(errors) ? errors : [errors]) as { index: number; code: unknown }[];
}

/** True if each failed statement of a batch was an insert of what is there already, and nothing else went wrong. */
export function isOnlyDuplicates(error: unknown): boolean {
  const codes = codesOf(error);
  return (
    writeErrorsOf(error).length > 0 &&
    codes.every((code) => code === DUPLICATE_KEY) &&
    !hasConcernError(error)
  );
}

function hasConcernError(error: unknown): boolean {
  const { result } = error as { result?: { getWriteConcernError?(): unknown } };
  return result?.getWriteConcernError?.() !== undefined;
}

/** An invalid connection string must not travel in an error: the driver's own may quote it. */
export function invalidUri(): InvalidInputError {
  return new InvalidInputError(
    "INVALID_OPTION",
    "Invalid option: `uri` is not a MongoDB connection string that the driver accepts.",
  );
}

/** The driver wraps a broken connection into the error of the batch that it broke. */
function unwrapped(error: unknown): unknown {
  return isDriverError(error) && error.errorResponse instanceof Error ? error.errorResponse : error;
}

function labelsOf(error: DriverError): string[] {
  if (error.errorLabelSet instanceof Set) return [...error.errorLabelSet];
  return Array.isArray(error.errorLabels) ? (error.errorLabels as string[]) : [];
}

function isDriverError(error: unknown): error is DriverError {
  return error instanceof Error && (error.name.startsWith("Mongo") || "syscall" in error);
}

/** The driver attaches the documents of a failed batch to its error. */
function withoutData(error: DriverError): Error {
  if (error.writeErrors === undefined) return error;
  const plain: DriverError = new Error(`${error.name}: code ${codesOf(error).join(", ")}`);
  plain.name = error.name;
  plain.code = error.code;
  return plain;
}
