/** The command was called in a way that cannot be meant: `--help` tells how. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The command was understood, and cannot be carried out: the message says what to do. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** What was asked for is not there. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
}
