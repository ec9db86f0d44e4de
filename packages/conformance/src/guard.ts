import { runInThisContext } from "node:vm";
import { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { CheckFailure } from "./check.js";

/**
 * Far beyond what a walk needs before its first `await`, and too short for an endless one to fill a list until V8 gives up
 * and ends the process. On a machine that is busy with something else a walk may need another try: it only reads.
 */
const SYNCHRONOUS_LIMIT_MS = 300;
const TRIES = 5;
const STEP_LIMIT = 10_000;

type HistoryWalk = BaseCheckpointSaver["getDeltaChannelHistory"];

const guarded = new WeakSet<BaseCheckpointSaver>();

/**
 * A walk over ancestors that has no visited set never ends where a checkpoint is its own ancestor, and never gives the
 * event loop a turn either: no timer could stop it. This makes such a walk a failure instead of the end of the process.
 */
export function guardHistoryWalk(saver: BaseCheckpointSaver): BaseCheckpointSaver {
  const walk: unknown = Reflect.get(saver, "getDeltaChannelHistory");
  if (typeof walk !== "function" || guarded.has(saver)) return saver;
  guarded.add(saver);
  // The inherited walk asks for one ancestor after the other by `getTuple`, and can be counted there.
  const isInherited = walk === Reflect.get(BaseCheckpointSaver.prototype, "getDeltaChannelHistory");
  saver.getDeltaChannelHistory = async (options) => {
    const self = isInherited ? countingReader(saver) : saver;
    return interruptible(() => (walk as HistoryWalk).call(self, options));
  };
  return saver;
}

function countingReader(saver: BaseCheckpointSaver): BaseCheckpointSaver {
  let steps = 0;
  const reader: Pick<BaseCheckpointSaver, "getTuple"> = {
    async getTuple(config) {
      steps += 1;
      if (steps > STEP_LIMIT) throw endless();
      return saver.getTuple(config);
    },
  };
  return reader as BaseCheckpointSaver;
}

const slot = Symbol.for("@langgraph-savers/conformance/interruptible");
const script = `globalThis[Symbol.for("${slot.description}")]()`;

/** Stops what loops without an `await`: `vm` is the one way to do so in the same thread, and runs scripts only. */
function interruptible<T>(work: () => T): T {
  const holder = globalThis as unknown as Record<symbol, (() => T) | undefined>;
  const outer = holder[slot];
  holder[slot] = work;
  try {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      try {
        return runInThisContext(script, { timeout: SYNCHRONOUS_LIMIT_MS }) as T;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      }
    }
    throw endless();
  } finally {
    holder[slot] = outer;
  }
}

function endless(): CheckFailure {
  return new CheckFailure(
    "The walk over the ancestors does not end",
    "every ancestor is visited once",
    "the same ancestors again and again",
  );
}
