import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { afterAll, beforeAll } from "vitest";

// The port's types from their source: the core's tests use this package, so it cannot depend on the core.
import type { CheckpointStore } from "../../../packages/core/src/store/port.js";
import type { SaverUnderTest } from "../saver-under-test.js";
import { TestThread } from "./test-thread.js";

/** What the cases work on: one set of data for all of them, each in threads of its own. */
export interface StoreWorld {
  readonly store: CheckpointStore;
  /** A second one over the same data, as another process has it. */
  readonly other: CheckpointStore;
  /** A thread that no other case uses. `label` is the start of its id. */
  thread(label?: string): TestThread;
  /** The same thread, through the second store. */
  elsewhere(thread: TestThread): TestThread;
}

type OverStore = BaseCheckpointSaver & { store: CheckpointStore; setup(): Promise<void> };

export function storeWorld(subject: SaverUnderTest): StoreWorld {
  const open: OverStore[] = [];
  let threads = 0;
  beforeAll(async () => {
    open.push((await subject.create()) as OverStore);
    await open[0]!.setup();
    open.push((await subject.reopen(open[0]!)) as OverStore);
    await open[1]!.setup();
  });
  afterAll(async () => {
    for (const saver of open.toReversed()) await subject.destroy?.(saver);
  });
  return {
    get store() {
      return open[0]!.store;
    },
    get other() {
      return open[1]!.store;
    },
    thread(label = "thread") {
      threads += 1;
      return new TestThread(this.store, `${label}-${threads}`);
    },
    elsewhere(thread) {
      return new TestThread(this.other, thread.id);
    },
  };
}
