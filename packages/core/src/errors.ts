/** Every code an error of the pack can carry. Codes are stable: programs may branch on them. */
export type SaverErrorCode =
  | "INVALID_INPUT"
  | "INVALID_OPTION"
  | "VALUE_NOT_SERIALIZABLE"
  | "VALUE_NOT_READABLE"
  | "CHECKPOINT_DAMAGED"
  | "FORMAT_TOO_NEW"
  | "ENCRYPTION_KEY_MISSING"
  | "ENCRYPTION_REQUIRED"
  | "THREAD_DELETED"
  /** The thread, or the checkpoint, that an operation starts from is not stored. */
  | "NOT_FOUND"
  /** The thread that an operation would make is there already. */
  | "THREAD_EXISTS"
  /** Checkpoints that stay hold only changes against one that is to be deleted. */
  | "CHECKPOINT_NEEDED"
  /** The parent of a checkpoint is no longer the newest of its namespace, and `onStaleParent` is `"reject"`. */
  | "STALE_PARENT"
  /** Someone else holds the thread's lease. */
  | "LEASE_HELD"
  /** The lease ran out, or was taken by someone else, before the work under it was done. */
  | "LEASE_LOST"
  | "SAVER_CLOSED"
  /** The backend did not answer, or went on refusing for reasons of its own, within the time given. */
  | "BACKEND_UNAVAILABLE"
  /** The backend answered, and said no to a call that it should have taken. */
  | "BACKEND_REFUSED"
  | "ACCESS_DENIED"
  | "STORAGE_FULL"
  /** What the backend has (a table, an index, a folder) is not what this saver needs. */
  | "SETUP_MISMATCH"
  /** Something that the saver needs is not there and is not created by itself. */
  | "SETUP_REQUIRED";

const marker = Symbol.for("@langgraph-savers/error");

/** Where an error happened: ids and names only, never values. */
export interface ErrorPlace {
  threadId?: string;
  checkpointNs?: string;
  checkpointId?: string;
  channel?: string;
  taskId?: string;
}

export interface SaverErrorOptions extends ErrorPlace {
  cause?: unknown;
}

/** The root of the pack's errors. Tell them by `isSaverError`, which also works across copies of the package. */
export class SaverError extends Error {
  readonly code: SaverErrorCode;
  readonly place: ErrorPlace;

  constructor(code: SaverErrorCode, message: string, options: SaverErrorOptions = {}) {
    const { cause, ...place } = options;
    super(`[@langgraph-savers] ${message}`, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.place = place;
    Object.defineProperty(this, marker, { value: true });
  }
}

/** The caller passed something that cannot be used; nothing was read or written. */
export class InvalidInputError extends SaverError {}

/** A value cannot be stored (or read back); nothing was changed. */
export class ValueError extends SaverError {}

/** Stored data is missing, altered or from a newer release. */
export class StoredDataError extends SaverError {}

/** True for every error of the pack, whichever copy of it threw. */
export function isSaverError(error: unknown): error is SaverError {
  return typeof error === "object" && error !== null && marker in error;
}

/** An id for a message: quoted, and shortened when it is long. */
export function quoteId(id: string): string {
  return JSON.stringify(id.length > 80 ? `${id.slice(0, 77)}...` : id);
}

/** `thread "a", namespace "", checkpoint "1f0"`: the place of an error, in words. */
export function describePlace(place: ErrorPlace): string {
  const parts: [string, string | undefined][] = [
    ["thread", place.threadId],
    ["namespace", place.checkpointNs],
    ["checkpoint", place.checkpointId],
    ["task", place.taskId],
    ["channel", place.channel],
  ];
  return parts.flatMap(([label, id]) => (id === undefined ? [] : [`${label} ${quoteId(id)}`])).join(", ");
}

/** The error for stored data that is not what was written. */
export function damaged(place: ErrorPlace, what: string, cause?: unknown): StoredDataError {
  return new StoredDataError(
    "CHECKPOINT_DAMAGED",
    `Stored data is damaged: ${what} (${describePlace(place)}). Restore it from a backup, or delete the checkpoint.`,
    { ...place, cause },
  );
}
