import type { CheckpointStore } from "./port.js";

/** The name of a method of a store. */
export type StoreMethod = keyof CheckpointStore;

/** A store that counts the calls that reach it: for tests that hold the number of round trips. */
export interface CountingStore extends CheckpointStore {
  readonly calls: Partial<Record<StoreMethod, number>>;
  /** All calls since the last reset. */
  total(): number;
  reset(): void;
}

/** Counts the calls that reach a store, by method: for tests that hold the number of round trips. */
export function countCalls(store: CheckpointStore): CountingStore {
  let calls: Partial<Record<StoreMethod, number>> = {};
  const extra = {
    total: () => Object.values(calls).reduce((sum, count) => sum + count, 0),
    reset: () => {
      calls = {};
    },
  };
  return new Proxy(store, {
    get(target, property, receiver) {
      if (property === "calls") return calls;
      if (property in extra) return extra[property as keyof typeof extra];
      const member: unknown = Reflect.get(target, property, receiver === target ? receiver : target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        const name = property as StoreMethod;
        calls[name] = (calls[name] ?? 0) + 1;
        return member.apply(target, args) as unknown;
      };
    },
  }) as CountingStore;
}
