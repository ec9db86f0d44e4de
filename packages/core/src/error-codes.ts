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
  | "NOT_FOUND"
  | "THREAD_EXISTS"
  | "CHECKPOINT_NEEDED"
  | "STALE_PARENT"
  | "LEASE_HELD"
  | "LEASE_LOST"
  | "SAVER_CLOSED"
  | "BACKEND_UNAVAILABLE"
  | "BACKEND_REFUSED"
  | "ACCESS_DENIED"
  | "STORAGE_FULL"
  | "SETUP_MISMATCH"
  | "SETUP_REQUIRED";

/** What a code tells: in Markdown, since docs/errors.md is made of it. */
export interface ErrorNote {
  meaning: string;
  when: string;
  remedy: string;
}

/** A code without a note does not compile. */
export const ERROR_NOTES: Record<SaverErrorCode, ErrorNote> = {
  INVALID_INPUT: {
    meaning: "An argument of a call cannot be used. Nothing was read or written.",
    when: "A `thread_id` is missing where one is needed, an id is not a string (or is not well-formed Unicode), a policy says nothing to prune by, and the like. The message names the method and the argument.",
    remedy: "Correct the call.",
  },
  INVALID_OPTION: {
    meaning: "An option of a saver cannot be used. Nothing was read or written.",
    when: "The constructor, or `fromUri`, is given an option that there is not, an unknown mode, a number out of range, an encryption key of the wrong length, a connection string that the driver does not take.",
    remedy: "Correct the option that the message names.",
  },
  VALUE_NOT_SERIALIZABLE: {
    meaning: "A value cannot be stored. Nothing of the call was stored.",
    when: "A state, a write or metadata holds a function, a symbol, a cycle, a `Promise`. The message names the channel and the path inside it, `place.channel` the channel.",
    remedy: "Keep only data in the state, or pass a `serde` that handles the value.",
  },
  VALUE_NOT_READABLE: {
    meaning: "A stored value is intact, and the serializer cannot read it.",
    when: "It was written with another `serde` than the one that reads it.",
    remedy: "Make the saver with the `serde` that the value was written with.",
  },
  CHECKPOINT_DAMAGED: {
    meaning: "Stored data is missing or altered. What was read of it is not returned.",
    when: "The backend lost or changed bytes, somebody edited them, or they were moved to another thread or place. Also when `migrateFromOfficial` does not find again what it has copied. `place` says where: thread, namespace, checkpoint, channel.",
    remedy:
      "`verify()` tells how far the damage goes. Restore the thread from a backup; or delete the checkpoint with `deleteCheckpoints`, and the run goes on from the one before it. For files, `repair()` keeps all that is intact.",
  },
  FORMAT_TOO_NEW: {
    meaning: "Data was written by a newer release than the one that reads it.",
    when: "Processes of different releases share a store, or a release was rolled back.",
    remedy: "Update the packages to the release that wrote the data.",
  },
  ENCRYPTION_KEY_MISSING: {
    meaning: "Data is encrypted with a key that the saver was not given.",
    when: "The key was removed from `encryption.keys`, or `encryption` is not set at all. The message names the key's id.",
    remedy:
      "Add the key to `encryption.keys`, behind the first one. Keep it there as long as anything written with it is kept.",
  },
  ENCRYPTION_REQUIRED: {
    meaning: "Data that is not encrypted was found, and `encryption` is on.",
    when: "It is from before encryption was turned on, or somebody put it there.",
    remedy:
      "Set `encryption.allowPlaintext` while there is data from before. Where there should be none, find out who wrote it.",
  },
  THREAD_DELETED: {
    meaning: "The thread was deleted beside the call. What the call would store was not stored.",
    when: "`deleteThread` ran during a run that relied on values which are gone, or during `copyThread` and `fork`.",
    remedy: "Start the run, or the operation, again.",
  },
  NOT_FOUND: {
    meaning: "The thread, or the checkpoint, that an operation starts from is not stored.",
    when: "`copyThread` or `fork` is given an id that is not there. Reading returns `undefined` instead, deleting passes it over.",
    remedy: "Check the id: `listThreads()` has those of threads, `list()` those of checkpoints.",
  },
  THREAD_EXISTS: {
    meaning: "The thread that an operation would make is there already.",
    when: "The target of `copyThread` or `fork` has checkpoints.",
    remedy:
      'Name another thread, or delete this one first. `copyThread` also takes `ifExists: "merge"` or `"replace"`.',
  },
  CHECKPOINT_NEEDED: {
    meaning: "A checkpoint was not deleted, nor any other of the call: one that stays needs it.",
    when: "A child holds only changes against it, as those of a graph with a DeltaChannel do.",
    remedy: "Delete the child too, or pass `{ force: true }`.",
  },
  STALE_PARENT: {
    meaning: "A checkpoint was not stored: its parent is no longer the newest of its namespace.",
    when: '`onStaleParent` is `"reject"`, and another run has put checkpoints to the thread meanwhile.',
    remedy:
      "Start the run again, from the newest checkpoint. To put runs in a row instead, use `withThreadLease`.",
  },
  LEASE_HELD: {
    meaning: "Someone else holds the thread's lease. The work was not begun.",
    when: "`withThreadLease` waited for `waitMs`, and the lease was not given back.",
    remedy: "Try again later, or pass a longer `waitMs`.",
  },
  LEASE_LOST: {
    meaning:
      "The lease ran out, or went to someone else, before the work under it was done. Nothing was stored since.",
    when: "The process was paused, or too busy to renew the lease, for longer than `ttlMs`.",
    remedy:
      "Start the work again under a new lease; with a longer `ttlMs` if the process is often that busy.",
  },
  SAVER_CLOSED: {
    meaning: "The saver was closed.",
    when: "A call comes after `close()`, or after the end of an `await using`.",
    remedy: "Close a saver only when no graph uses it any more, or make a new one.",
  },
  BACKEND_UNAVAILABLE: {
    meaning:
      "The backend did not answer, or went on refusing for reasons of its own, for the time that it was given. Whether a write took effect is not known; it may be made again.",
    when: "The server or the network is down, requests are throttled, a disk fails, there are too many open files. Calls were repeated before: for `retryTimeoutMs` on MongoDB, `retryMs` on DynamoDB. `ReplicatedSaver` throws it where no side has what is asked for.",
    remedy: "Look at the backend and the network (`cause` has the driver's error), then call again.",
  },
  BACKEND_REFUSED: {
    meaning: "The backend answered, and said no to a call that it should have taken.",
    when: "A quota or a rule of the server; on DynamoDB a put under a lease where there are no transactions (dynalite).",
    remedy: "`cause` has the driver's error, which says why.",
  },
  ACCESS_DENIED: {
    meaning: "The backend did not let the saver in, or not do what it has to.",
    when: "Wrong or missing credentials, a policy or role without a right, permissions of files, a read-only file system.",
    remedy:
      "Compare the rights with those in the README of the saver. `npx @langgraph-savers/cli doctor STORE` tells which is missing.",
  },
  STORAGE_FULL: {
    meaning: "There is no room. What was acknowledged before is intact.",
    when: "The disk, a quota, or a limit on the size of files is used up.",
    remedy:
      "Free some space; the saver goes on by itself. `prune` and `compact` give back what is not needed.",
  },
  SETUP_MISMATCH: {
    meaning: "What the backend has is not what this saver needs. It was left as it is.",
    when: "A table has other keys or another index, a collection holds the documents of another program, a link or file stands where a folder of the saver should be.",
    remedy:
      "The message says what differs. Name another table, collection or directory, or set this one up as the README of the saver says.",
  },
  SETUP_REQUIRED: {
    meaning: "Something that the saver needs is not there, and is not created by itself.",
    when: "The table or bucket is missing, a call over all threads needs an index or a scan, or an optional package is not installed.",
    remedy: "Call `setup()`, or do what the message says.",
  },
};
