import { refuseSkip, suiteOf, type SuiteOptions } from "./suite.js";

export type { SuiteOptions } from "./suite.js";

/** The two functions that Jest, Mocha, Jasmine and their like have in common. */
export interface BddRunner {
  describe: (title: string, body: () => void) => unknown;
  /** The third argument is the time limit in milliseconds; runners that take none ignore it. */
  it: (title: string, body: () => Promise<void>, timeoutMs?: number) => unknown;
}

/**
 * Each scenario as a test of any runner with `describe` and `it`. Such tests cannot be skipped while they run: a
 * capability that the target has not, and is not declared as absent, is a failure that says so.
 */
export function conformanceSuite(options: SuiteOptions, { describe, it }: BddRunner): void {
  describe(`conformance: ${options.name}`, () => {
    for (const { title, tests } of suiteOf(options)) {
      describe(title, () => {
        for (const test of tests) {
          const body = async (): Promise<void> => {
            const skipped = await test.run();
            if (skipped !== undefined) refuseSkip(skipped);
          };
          it(test.title, body, test.timeoutMs);
        }
      });
    }
  });
}
