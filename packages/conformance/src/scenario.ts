import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import type { Capability } from "./report.js";

/** One rule of the checkpointer contract, as something to try on a saver. */
export interface Scenario {
  /** Stable: `putWrites.regular-first-wins`. */
  id: string;
  group: string;
  /** The rule, in one sentence. */
  rule: string;
  /** What breaks in LangGraph when a saver gets it wrong. */
  why: string;
  /** Capabilities without which it cannot be tried. */
  needs?: readonly Capability[];
  /** Time limit; 20 s unless told. */
  timeoutMs?: number;
  run: (world: World) => Promise<void>;
}

/** A fresh saver on storage of its own, and what its author supplied to go with it. */
export interface World {
  saver: BaseCheckpointSaver;
  /**
   * A second saver on the same storage, with nothing remembered, as after a restart. Where the target has no `reopen`,
   * the same saver: a scenario that shows nothing without a second one says so in `needs`.
   */
  reopen: () => Promise<BaseCheckpointSaver>;
  /** A saver with another serializer on fresh storage. */
  createWith: (options: { serde: BaseCheckpointSaver["serde"] }) => Promise<BaseCheckpointSaver>;
  faults: Faults | undefined;
  /** One more saver from the target's `create`, on storage of its own; whoever asks for it releases it. */
  another: () => Promise<{ saver: BaseCheckpointSaver; release: () => Promise<void> }>;
}

/** Ways to make the storage fail, supplied by the saver's author. */
export interface Faults {
  /** The next `count` storage calls fail in a way that goes away by itself. */
  failNext?(count: number): void | Promise<void>;
  /** The storage is out of reach until the returned function is called. */
  outage?(): Promise<() => void | Promise<void>>;
  /** The process dies without a chance to clean up; the saver must not be used after it. */
  crash?(saver: BaseCheckpointSaver): Promise<void>;
}

/** What a saver's author hands to the kit. */
export interface ConformanceTarget {
  /** Shown in reports. */
  name: string;
  /** Called for every scenario: each saver has storage of its own, empty. */
  create(): Promise<CreatedSaver> | CreatedSaver;
  /** Declared capabilities, where detection is not enough. */
  capabilities?: Partial<Record<Capability, boolean>>;
  /** Ids of scenarios that this saver is known to fail, with the reason. */
  knownGaps?: Record<string, string>;
}

/** A saver that is ready for use, on storage of its own. */
export interface CreatedSaver {
  saver: BaseCheckpointSaver;
  /** A second saver on the same storage, as another process would open it: the `reopen` capability. */
  reopen?(): Promise<BaseCheckpointSaver> | BaseCheckpointSaver;
  /** A saver with another serializer on fresh storage: the `serde` capability. */
  createWith?(options: {
    serde: BaseCheckpointSaver["serde"];
  }): Promise<BaseCheckpointSaver> | BaseCheckpointSaver;
  /** Releases all that `create`, `reopen` and `createWith` of this saver opened, and its storage. */
  cleanup?(): Promise<void> | void;
  /** Ways to make its storage fail: the `faults` capability. */
  faults?: Faults;
}
