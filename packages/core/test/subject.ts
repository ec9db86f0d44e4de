import type { ConformanceTarget } from "@langgraph-savers/conformance";
import type { SaverUnderTest } from "@langgraph-savers/test";

import { InMemorySaver, MemoryStore } from "../src/index.js";

type Options = Omit<NonNullable<ConstructorParameters<typeof InMemorySaver>[0]>, "store">;

/** `InMemorySaver` for the shared suites; reopened, it is a saver with cold caches over the same store. */
function subjectOf(name: string, options: Options): SaverUnderTest {
  const stores = new WeakMap<object, MemoryStore>();
  const over = (store: MemoryStore): InMemorySaver => {
    const saver = new InMemorySaver({ ...options, store });
    stores.set(saver, store);
    return saver;
  };
  return { name, create: () => over(new MemoryStore()), reopen: (saver) => over(stores.get(saver)!) };
}

/** The same for the conformance kit. A store in memory has no ways to fail. */
function targetOf(name: string, options: Options): ConformanceTarget {
  return {
    name,
    capabilities: { faults: false },
    create: () => {
      const store = new MemoryStore();
      return {
        saver: new InMemorySaver({ ...options, store }),
        reopen: () => new InMemorySaver({ ...options, store }),
        createWith: ({ serde }) => new InMemorySaver({ ...options, serde }),
      };
    },
  };
}

const keys = [{ id: "k1", key: "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff" }];
/** Everything encrypted and next to no cache, so that every read goes the whole way. */
const wholeWay: Options = { encryption: { keys }, cacheBytes: 0 };

export const inMemory = subjectOf("InMemorySaver", {});
export const encrypted = subjectOf("InMemorySaver, encrypted, without cache", wholeWay);
export const inMemoryTarget = targetOf(inMemory.name, {});
export const encryptedTarget = targetOf(encrypted.name, wholeWay);
