import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import fc from "fast-check";
import { describe, it } from "vitest";

import type { SaverUnderTest } from "../saver-under-test.js";
import { Model } from "./model.js";
import { checkAll, readingCommands } from "./reading.js";
import type { Real } from "./world.js";
import { writingCommands } from "./writing.js";

export interface ModelOptions {
  /** How many random sequences; 100 unless told. */
  runs?: number;
}

/** For the runs and, if one fails, for the search of a shorter one. */
const LIMIT_MS = 120_000;

/**
 * Random sequences of calls, compared with a plain model of the contract. A failure prints the shortest sequence found,
 * with the seed that repeats it.
 */
export function modelSuite(subject: SaverUnderTest, options: ModelOptions = {}): void {
  describe(`model: ${subject.name}`, () => {
    it(
      "random sequences of calls agree with the model of the contract",
      { timeout: LIMIT_MS + 30_000 },
      async () => {
        const commands = [...writingCommands, ...readingCommands];
        await fc.assert(
          fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: "max" }), async (sequence) => {
            const model = new Model();
            const open: BaseCheckpointSaver[] = [await subject.create()];
            const real: Real = {
              saver: open[0]!,
              reopen: async () => {
                open.push((real.saver = await subject.reopen(real.saver)));
              },
            };
            try {
              // A saver in memory never waits for anything: without this no timer, and so no time limit, gets its turn.
              await new Promise(setImmediate);
              await fc.asyncModelRun(() => ({ model, real }), sequence);
              // Every saver that was opened, not only the last: a cache of the first must not be stale.
              for (const saver of open) await checkAll(model, { saver });
            } finally {
              for (const saver of open.toReversed()) await subject.destroy?.(saver);
            }
          }),
          { numRuns: options.runs ?? 100, interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: true },
        );
      },
    );
  });
}
