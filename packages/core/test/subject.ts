import type { ContractSubject } from "@langgraph-savers/test";

import { InMemorySaver, MemoryStore } from "../src/index.js";

const stores = new WeakMap<object, MemoryStore>();

function over(
  store: MemoryStore,
  options: ConstructorParameters<typeof InMemorySaver>[0] = {},
): InMemorySaver {
  const saver = new InMemorySaver({ ...options, store });
  stores.set(saver, store);
  return saver;
}

/** `InMemorySaver` for the shared suites; reopened, it is a saver with cold caches over the same store. */
export const inMemory: ContractSubject = {
  name: "InMemorySaver",
  create: () => over(new MemoryStore()),
  createWith: (options) => over(new MemoryStore(), options),
  reopen: (saver) => over(stores.get(saver)!),
};

const keys = [{ id: "k1", key: "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff" }];

/** The same with everything encrypted and next to no cache, so that every read goes the whole way. */
export const encrypted: ContractSubject = {
  name: "InMemorySaver, encrypted, without cache",
  create: () => over(new MemoryStore(), { encryption: { keys }, cacheBytes: 0 }),
  createWith: (options) => over(new MemoryStore(), { encryption: { keys }, cacheBytes: 0, ...options }),
  reopen: (saver) => over(stores.get(saver)!, { encryption: { keys }, cacheBytes: 0 }),
};
