import type { SaverUnderTest } from "@langgraph-savers/test";

import { InMemorySaver, MemoryStore, type SaverOptions } from "../src/index.js";

/** `InMemorySaver` for the shared suites; reopened, it is a saver with cold caches over the same store. */
function subjectOf(name: string, options: SaverOptions): SaverUnderTest {
  const stores = new WeakMap<object, MemoryStore>();
  const over = (store: MemoryStore, more: SaverOptions = {}): InMemorySaver => {
    const saver = new InMemorySaver({ ...options, ...more, store });
    stores.set(saver, store);
    return saver;
  };
  return {
    name,
    create: () => over(new MemoryStore()),
    createWith: (more) => over(new MemoryStore(), more),
    reopen: (saver) => over(stores.get(saver)!),
  };
}

const keys = [{ id: "k1", key: "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff" }];

export const inMemory = subjectOf("InMemorySaver", {});
/** Everything encrypted and next to no cache, so that every read goes the whole way. */
export const encrypted = subjectOf("InMemorySaver, encrypted, without cache", {
  encryption: { keys },
  cacheBytes: 0,
});
