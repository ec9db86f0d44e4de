import { describe, it } from "vitest";

import { suiteOf, type SuiteOptions } from "./suite.js";

export type { SuiteOptions } from "./suite.js";

/** Each scenario as a test of vitest; one whose capability is absent is skipped with the reason. */
export function conformanceSuite(options: SuiteOptions): void {
  describe(`conformance: ${options.name}`, () => {
    for (const { title, tests } of suiteOf(options)) {
      describe(title, () => {
        for (const test of tests) {
          it(test.title, { timeout: test.timeoutMs }, async (context) => {
            const skipped = await test.run();
            if (skipped !== undefined) context.skip(skipped);
          });
        }
      });
    }
  });
}
