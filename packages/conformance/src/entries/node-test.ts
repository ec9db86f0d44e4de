import { describe, it } from "node:test";

import { suiteOf, type SuiteOptions } from "./suite.js";

export type { SuiteOptions } from "./suite.js";

/** Each scenario as a test of `node:test`; one whose capability is absent is skipped with the reason. */
export function conformanceSuite(options: SuiteOptions): void {
  void describe(`conformance: ${options.name}`, () => {
    for (const { title, tests } of suiteOf(options)) {
      void describe(title, () => {
        for (const test of tests) {
          void it(test.title, { timeout: test.timeoutMs }, async (context) => {
            const skipped = await test.run();
            if (skipped !== undefined) context.skip(skipped);
          });
        }
      });
    }
  });
}
