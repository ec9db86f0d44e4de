import type { SaverErrorCode } from "./error-codes.js";

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
