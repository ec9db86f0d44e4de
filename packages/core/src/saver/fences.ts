import { AsyncLocalStorage } from "node:async_hooks";

import type { SaverError } from "../errors.js";
import type { CheckpointStore, Registers } from "../store/port.js";

/** A register that commits to a thread depend on for as long as some work goes on. */
export interface Fence {
  store: CheckpointStore;
  threadId: string;
  register: string;
  value: string;
  /** Whether it is known to be over without asking the store. */
  isOver?: () => boolean;
  /** What a commit throws that the fence has stopped. */
  stopped: () => SaverError;
}

const key = Symbol.for("@langgraph-savers/fences");

/** One per process, whichever copies of the package (ESM, CommonJS) there are. */
function context(): AsyncLocalStorage<readonly Fence[]> {
  const shared = globalThis as { [key]?: AsyncLocalStorage<readonly Fence[]> };
  return (shared[key] ??= new AsyncLocalStorage());
}

/** Runs `work`; whatever it commits to the thread through this store, also later, is conditional on the register. */
export function withFence<T>(fence: Fence, work: () => T): T {
  return context().run([...(context().getStore() ?? []), fence], work);
}

/** The fences of the work that is calling. */
export function currentFences(store: CheckpointStore, threadId: string): readonly Fence[] {
  const fences = context().getStore();
  return fences === undefined
    ? []
    : fences.filter((fence) => fence.store === store && fence.threadId === threadId);
}

/** What a commit that begins now depends on; throws where it would come too late. */
export function registersOf(fences: readonly Fence[]): Registers | undefined {
  const over = fences.find(({ isOver }) => isOver?.());
  if (over !== undefined) throw over.stopped();
  if (fences.length === 0) return undefined;
  return Object.fromEntries(fences.map(({ register, value }) => [register, value]));
}
