export { InMemorySaver, type InMemorySaverOptions } from "./saver/in-memory-saver.js";
export { StoreSaver, type StoreTraits } from "./saver/store-saver.js";
export { readThreadId } from "./saver/config.js";
export { checkOptionNames, refuseOtherNames, type OwnOptionNames } from "./saver/option-names.js";
export type { SaverOptions } from "./saver/options.js";
export type { OnStaleParent } from "./saver/stale-parent.js";
export { taskWritesOf, writesInPosition, type TaskWrite, type TaskWrites } from "./saver/task-writes.js";

export type { Compression } from "./codec/compression.js";
export type { EncryptionKey, EncryptionOptions } from "./codec/encryption.js";
export { listedHashes } from "./codec/hash.js";
export { Serializer } from "./codec/serializer/index.js";

export { MemoryStore } from "./store/memory-store.js";
export { countCalls, type CountingStore, type StoreMethod } from "./store/counting.js";
export { GRACE_MS } from "./store/grace.js";
export { compareIds } from "./store/id-order.js";
export { keyPage, page } from "./store/pages.js";
export { reachable } from "./store/reachable.js";
export {
  ThreadIndex,
  type IndexEntry,
  type IndexedCheckpoint,
  type IndexedSlot,
} from "./store/thread-index.js";
export { ThreadSum } from "./store/thread-sum.js";
export type * from "./store/port.js";

export type { ThreadManager } from "./threads/thread-manager.js";
export type { HistoryPoint } from "./threads/at-or-before.js";
export type { CopyThreadOptions, CopyThreadResult, IfExists } from "./threads/copy-thread.js";
export type { DeleteCheckpointsOptions, DeletedCheckpoints } from "./threads/delete-checkpoints.js";
export type { ForkOptions } from "./threads/fork.js";
export type { ListThreadsOptions, StoreStats, ThreadInfo } from "./threads/list-threads.js";
export type { KeepReason } from "./threads/prune/plan.js";
export type { PrunePolicy } from "./threads/prune/policy.js";
export type { FailedPrune, PrunedCheckpoint, PruneReport, ThreadPruneReport } from "./threads/prune/prune.js";
export type { VerifyProblem, VerifyReport } from "./threads/verify.js";

export {
  withRetention,
  type Retention,
  type RetentionPolicy,
  type SweepReport,
} from "./wrappers/retention.js";
export { withThreadLease, type ThreadLease, type ThreadLeaseOptions } from "./wrappers/thread-lease.js";

export * from "./wrappers/replication/index.js";

export {
  InvalidInputError,
  isSaverError,
  SaverError,
  StoredDataError,
  ValueError,
  type ErrorPlace,
} from "./errors.js";
export type { SaverErrorCode } from "./error-codes.js";
