export { InMemorySaver, type InMemorySaverOptions } from "./saver/in-memory-saver.js";
export { StoreSaver } from "./saver/store-saver.js";
export { readThreadId } from "./saver/config.js";
export type { SaverOptions } from "./saver/options.js";

export type { Compression } from "./codec/compression.js";
export type { EncryptionKey, EncryptionOptions } from "./codec/encryption.js";
export { listedHashes } from "./codec/hash.js";
export { Serializer } from "./codec/serializer/index.js";

export { MemoryStore } from "./store/memory-store.js";
export { countCalls, type CountingStore, type StoreMethod } from "./store/counting.js";
export { compareIds } from "./store/id-order.js";
export { keyPage, page } from "./store/pages.js";
export {
  ThreadIndex,
  type IndexEntry,
  type IndexedCheckpoint,
  type IndexedSlot,
} from "./store/thread-index.js";
export type * from "./store/port.js";

export type { VerifyProblem, VerifyReport } from "./threads/verify.js";
export type { ListThreadsOptions, ThreadInfo } from "./threads/list-threads.js";

export {
  InvalidInputError,
  isSaverError,
  SaverError,
  StoredDataError,
  ValueError,
  type ErrorPlace,
  type SaverErrorCode,
} from "./errors.js";
