import { EventEmitter, setMaxListeners } from "node:events";

const events = ["unhandledRejection", "uncaughtException"] as const;

/** Errors that reached nobody: a promise that the saver forgot, a callback that threw. */
export interface StrayErrors {
  /** Ends the watch, and gives what was seen; also what is only now about to surface. */
  stop(): Promise<unknown[]>;
}

const watching = new Set<unknown[]>();
let restore: (() => void) | undefined;

/**
 * While a scenario runs, such errors are its failure: they must neither end the process nor be charged to something
 * else by a test runner's own listeners. Scenarios that run at the same time are all charged: nothing tells them apart.
 */
export function watchStrayErrors(): StrayErrors {
  const seen: unknown[] = [];
  watching.add(seen);
  restore ??= takeOver((error) => {
    for (const each of watching) each.push(error);
  });
  return {
    async stop() {
      // Node reports a rejection after the microtasks of the turn in which nobody handled it.
      await nextTurn();
      await nextTurn();
      watching.delete(seen);
      if (watching.size === 0) {
        restore?.();
        restore = undefined;
      }
      return seen;
    },
  };
}

function takeOver(onError: (error: unknown) => void): () => void {
  const others = events.map((event) => ({ event, listeners: process.rawListeners(event) as (() => void)[] }));
  for (const { event, listeners } of others) {
    for (const listener of listeners) process.off(event, listener);
    process.on(event, onError);
  }
  // LangGraph listens to one signal from every task of a step: Node takes many of them for a leak, and warns.
  const most = EventEmitter.defaultMaxListeners;
  setMaxListeners(0);
  return () => {
    setMaxListeners(most);
    for (const { event, listeners } of others) {
      process.off(event, onError);
      for (const listener of listeners) process.on(event, listener);
    }
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
