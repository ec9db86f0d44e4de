import { noThread } from "../inspect/find-checkpoint.js";
import type { OpenStore } from "../stores/store.js";
import { openThread, type Source } from "./source.js";

/** A store to copy from: all of its threads, or some of them. */
export function storeSource(
  store: OpenStore,
  { prefix, only }: { prefix?: string | undefined; only?: readonly string[] },
): Source {
  return {
    label: store.label,
    async *threads() {
      if (only !== undefined && only.length > 0) {
        for (const threadId of only) yield { threadId };
        return;
      }
      yield* store.threads(prefix === undefined ? {} : { prefix });
    },
    async open(threadId) {
      const thread = await openThread(store, threadId);
      // One that was listed may have been deleted since; one that was asked for must be there.
      if (thread.names.length === 0 && only?.includes(threadId) === true) throw noThread(threadId);
      return thread;
    },
  };
}
