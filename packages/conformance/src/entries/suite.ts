import { isDeclaredAbsent } from "../capabilities.js";
import { ConformanceError } from "../errors.js";
import type { ScenarioResult } from "../report.js";
import { runScenario, timeLimit } from "../run-scenario.js";
import type { ConformanceTarget, Scenario } from "../scenario.js";
import { checkKnownGaps, select } from "../selection.js";

/** What a suite takes: a target, and how to try it. */
export interface SuiteOptions extends ConformanceTarget {
  /** Ids or groups; everything unless told. */
  only?: readonly string[];
  /** Multiplies every time limit: more for slow machines and far databases. */
  timeoutScale?: number;
}

/** What a test runner does with one scenario. */
interface SuiteTest {
  title: string;
  /** Longer than the scenario's own limits together: the kit's message is better than the runner's. */
  timeoutMs: number;
  /** Rejects where the scenario fails; the reason where it was skipped. */
  run: () => Promise<string | undefined>;
}

export interface SuiteGroup {
  title: string;
  tests: SuiteTest[];
}

/** The tests of a target, by group. What is declared absent is left out; what turns out absent is skipped. */
export function suiteOf(options: SuiteOptions): SuiteGroup[] {
  checkKnownGaps(options);
  const groups = new Map<string, SuiteTest[]>();
  for (const scenario of select(options.only)) {
    if (isDeclaredAbsent(scenario.needs ?? [], options.capabilities)) continue;
    const tests = groups.get(scenario.group) ?? [];
    groups.set(scenario.group, tests);
    tests.push(testOf(scenario, options));
  }
  return [...groups].map(([title, tests]) => ({ title, tests }));
}

/** For runners whose tests cannot be skipped once they run: an omission must be said, not guessed. */
export function refuseSkip(reason: string): never {
  throw new ConformanceError(
    "CAPABILITY_NOT_GIVEN",
    `${reason}: let create() return it, or declare it as absent, as in capabilities: { reopen: false }`,
  );
}

function testOf(scenario: Scenario, options: SuiteOptions): SuiteTest {
  return {
    title: `${scenario.id}: ${scenario.rule}`,
    timeoutMs: timeLimit(scenario, options.timeoutScale) * 3 + 5000,
    run: async () => {
      const { result } = await runScenario(scenario, options, options.timeoutScale);
      if (result.status === "failed" || result.status === "unexpected-pass") throw failed(scenario, result);
      return result.status === "skipped" ? result.reason : undefined;
    },
  };
}

function failed(scenario: Scenario, { error }: ScenarioResult): Error {
  const lines = [
    error?.message ?? "failed",
    ...(error?.expected === undefined ? [] : [`  expected: ${error.expected}`]),
    ...(error?.actual === undefined ? [] : [`  came:     ${error.actual}`]),
    `  rule:     ${scenario.rule}`,
    `  because:  ${scenario.why}`,
  ];
  const failure = new Error(lines.join("\n"));
  failure.name = "ConformanceFailure";
  if (error?.stack !== undefined) failure.stack = `${failure.message}\n${framesOf(error.stack)}`;
  return failure;
}

function framesOf(stack: string): string {
  return stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n");
}
