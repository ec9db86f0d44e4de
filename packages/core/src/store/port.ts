/**
 * The store port: what a backend implements, and all that it has to know.
 *
 * A store keeps three kinds of records for threads: checkpoints, the writes of tasks, and chunks. Bodies are opaque
 * bytes that the codec has sealed: a store never looks inside, never changes them, and returns them byte for byte.
 * Ids are opaque well-formed strings of any content and length, compared by exact equality and ordered by code point
 * (the order of their UTF-8 bytes; see `compareIds`).
 *
 * Every method may be called again with the same arguments after a failure, and the result is the same as one call.
 */
export interface CheckpointStore {
  /** Makes tables, folders or indexes ready. Idempotent; the engine awaits it once before the first other call. */
  setup(): Promise<void>;

  /**
   * Stores the chunks that are not there yet, then makes the checkpoint visible (replacing an earlier one of the same
   * key, and leaving its writes alone). The chunks are durable before the record can be read.
   */
  putCheckpoint(
    record: CheckpointRecord,
    chunks: Chunk[],
    condition?: CommitCondition,
  ): Promise<CommitResult>;

  /**
   * Stores the chunks, then merges the slots into the record of (checkpoint, task) in one atomic step: a slot that is
   * there already is kept, unless the new one says `replace`. The checkpoint itself need not exist yet.
   */
  putWrites(record: WritesRecord, chunks: Chunk[], condition?: CommitCondition): Promise<CommitResult>;

  /** One answer per selector, in the same order, in one round trip if the backend can. */
  getCheckpoints(selectors: CheckpointSelector[]): Promise<StoredCheckpoint[]>;

  /** A page of checkpoints with their writes, greatest checkpoint id first (then thread id, then namespace, ascending). */
  listCheckpoints(query: ListQuery): Promise<Page<StoredCheckpoint>>;

  /**
   * A page of the parent chain that starts with the selected checkpoint itself. It ends at a checkpoint without a
   * parent, at a parent that is not stored, or where the chain would visit a checkpoint again.
   */
  listAncestors(query: AncestorQuery): Promise<Page<StoredCheckpoint>>;

  /**
   * The chunks of a thread by hash, of the generation in which the record that refers to them was stored; those that
   * are not there are left out. A store that can do so in the same round trip may add the chunks that the asked index
   * chunks list (see `listedHashes`).
   */
  getChunks(threadId: string, generation: string, hashes: string[]): Promise<Chunk[]>;

  /** A page of threads by ascending thread id. One without a checkpoint, though it may have writes, is none. */
  listThreads(query: ThreadQuery): Promise<Page<ThreadSummary>>;

  /** What `listThreads` says of one thread; undefined where it has no checkpoint. */
  getThread(threadId: string): Promise<ThreadSummary | undefined>;

  /** A page of the checkpoints that carry one of these run ids in their labels, of all threads, in any order. */
  listRuns(query: RunQuery): Promise<Page<CheckpointKey>>;

  /**
   * Removes checkpoints with their writes, each with all its writes at once for a reader, and says how many checkpoints
   * were there and what their bodies took. What they referred to is remembered (see `collectChunks`).
   */
  deleteCheckpoints(threadId: string, names: readonly CheckpointName[]): Promise<Deleted>;

  /**
   * Removes the chunks of the thread's current generation that nothing needs any more. Kept is a chunk
   *
   * - that a record or a slot refers to, directly or through index chunks,
   * - that one referred to which was deleted, or replaced by a later one of its key, at `before` or since,
   * - that was stored, or sent again with a commit though it was there, at `before` or since.
   *
   * So a store remembers, durably and no later than they go, what deleted and replaced records and slots referred to, and
   * when (by the clock of the process, as `createdAt`). Writers rely on what they saw stored for far less time than
   * lies between `before` and now: whatever they commit is a record by then, or what it relies on is remembered.
   *
   * Cheap where nothing was deleted or replaced before `before` since the last call.
   */
  collectChunks(threadId: string, before: number): Promise<Collected>;

  /** A register of the thread: a small text that changes by compare-and-set only. Undefined where it is not set. */
  getRegister(threadId: string, name: RegisterName): Promise<string | undefined>;

  /**
   * Sets the register (or removes it: `undefined`) if it is still `expected`; false, and nothing changes, if not. The
   * thread need have nothing else, and such a thread is in no list. `deleteThread` leaves registers alone.
   */
  setRegister(
    threadId: string,
    name: RegisterName,
    value: string | undefined,
    expected: string | undefined,
  ): Promise<boolean>;

  /**
   * Removes all that is stored for the thread and starts a new generation of it: from the moment this resolves, no
   * commit with the old generation succeeds, and no reader sees anything of what was there. Interrupted half-way, a
   * second call finishes it; a checkpoint that is still seen then is seen with all its writes.
   */
  deleteThread(threadId: string): Promise<void>;

  /**
   * Called when a reader finds chunks missing, before it takes that for damage. A store whose commits can land after
   * a deletion that they raced with hides or removes what they left; one that decides both in one place does nothing.
   */
  finishDeletion(threadId: string): Promise<void>;

  /** Resolves when the backend answers. */
  ping(): Promise<void>;

  /** Releases what the store itself opened. Idempotent. */
  close(): Promise<void>;
}

/** A checkpoint within its thread. */
export interface CheckpointName {
  namespace: string;
  checkpointId: string;
}

/** A checkpoint, by its thread, namespace and id. */
export interface CheckpointKey extends CheckpointName {
  threadId: string;
}

/** Names one checkpoint, or the one with the greatest id of a namespace. */
export interface CheckpointSelector {
  threadId: string;
  namespace: string;
  checkpointId?: string;
}

/** What a store keeps of a checkpoint: what it must find it by, and a body that it does not look into. */
export interface CheckpointRecord extends CheckpointKey {
  parentId?: string;
  /** When it was put, in milliseconds since the epoch, by the writer's clock. */
  createdAt: number;
  /** Facts a backend may index; all of them are in the sealed body too. */
  labels: Labels;
  /** The chunks that the body refers to directly, in the order in which the body counts them. */
  chunks: string[];
  body: Uint8Array;
}

/** What a store may select checkpoints by, beside their ids. It stays readable under encryption. */
export interface Labels {
  source?: string;
  step?: number;
  runId?: string;
}

/** The writes of one task at one checkpoint. */
export interface WritesRecord extends CheckpointKey {
  taskId: string;
  slots: WriteSlot[];
}

/** A write of a task at its position, with the chunks that it needs. */
export interface WriteSlot {
  /** Unique within the record; at most 64 characters of `[a-z0-9.,-]`. */
  name: string;
  /** Overwrite the slot if it is there, instead of keeping it. */
  replace: boolean;
  chunks: string[];
  body: Uint8Array;
}

/** A checkpoint as a store returns it: its record, if it is there, and the writes that belong to it. */
export interface StoredCheckpoint extends CheckpointSelector {
  /** The generation in which the record and its writes were stored, and in which their chunks are. */
  generation: string;
  /** Undefined when it is not stored; writes may be there all the same. */
  checkpoint: CheckpointRecord | undefined;
  /** Slots in the order in which they were first stored. */
  writes: WritesRecord[];
}

/** Immutable bytes under (thread, hash). */
export interface Chunk {
  hash: string;
  /** True for a chunk that lists the hashes of others (see `listedHashes`). */
  index: boolean;
  data: Uint8Array;
}

/** What must hold at the moment of the commit; else nothing visible changes, and the result says so. */
export interface CommitCondition {
  /** The thread is in this generation. */
  generation?: string;
  /** These registers of the thread have these values. */
  registers?: Registers;
}

/** Whether a commit took effect. */
export interface CommitResult {
  committed: boolean;
  /** The thread's generation that the commit went to, or the one that it found. */
  generation: string;
  /** It was not committed because a register has another value than the condition asks for. */
  fenced?: boolean;
}

/** `[a-z0-9-]`, at most 64 characters. */
export type RegisterName = string;

/** What registers of a thread must hold, by their names. */
export type Registers = Readonly<Record<RegisterName, string>>;

/** Which checkpoints to list: newest first, within the bounds that are given. */
export interface ListQuery {
  /** Absent: every thread. */
  threadId?: string;
  /** Absent: every namespace. */
  namespace?: string;
  checkpointId?: string;
  /** Only checkpoints whose id is less than this. */
  before?: string;
  limit: number;
  cursor?: string;
}

/** Where to start: a checkpoint, or the one with the greatest id. A page's `cursor` is the `checkpointId` to go on with. */
export interface AncestorQuery extends CheckpointSelector {
  limit: number;
}

/** Which threads a store lists: by ascending id. */
export interface ThreadQuery {
  prefix?: string;
  /** Only threads whose id is greater than this. */
  after?: string;
  limit: number;
}

/** Whose checkpoints to list: those that runs put, in any thread. */
export interface RunQuery {
  runIds: readonly string[];
  limit: number;
  cursor?: string;
}

/** How many checkpoints a deletion removed. */
export interface Deleted {
  checkpoints: number;
  /** Of the bodies of checkpoints and writes. */
  bytes: number;
}

/** What a collection of chunks gave back. */
export interface Collected {
  chunks: number;
  bytes: number;
}

/** A thread, as a store describes it. */
export interface ThreadSummary {
  threadId: string;
  createdAt: number;
  updatedAt: number;
  namespaces: string[];
  checkpoints: number;
  /** Bytes of all bodies and chunks. */
  bytes: number;
  /** Labels of the checkpoint put last. */
  last: Labels;
}

/** A part of a list, and where the next one begins. */
export interface Page<T> {
  items: T[];
  /** Names the next page in the query's own terms; absent on the last one. */
  cursor?: string;
}
