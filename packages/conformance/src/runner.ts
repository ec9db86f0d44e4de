import { declaredCapabilities } from "./capabilities.js";
import { levelOf } from "./levels.js";
import type { ConformanceReport, ScenarioResult } from "./report.js";
import { runScenario } from "./run-scenario.js";
import type { ConformanceTarget, Scenario } from "./scenario.js";
import { checkKnownGaps, select } from "./selection.js";

/** So many scenarios in a row without an answer, and the rest is not waited for either. */
const HANGS_UNTIL_GIVEN_UP = 5;

/** What `runConformance` takes: a target, and how to try it. */
export interface ConformanceOptions extends ConformanceTarget {
  /** Ids or groups; everything unless told. A run that is narrowed like this reaches no level. */
  only?: readonly string[] | undefined;
  /** Called with each result as it comes. */
  onResult?: ((result: ScenarioResult) => void) | undefined;
  /** Multiplies every time limit: more for slow machines and far databases. */
  timeoutScale?: number | undefined;
  /** How many scenarios run at a time; 1 unless told. An error that reaches nobody is charged to all of them. */
  concurrency?: number | undefined;
}

/** Tries the whole catalogue on a saver, each scenario on a fresh one, and reports what was found out. */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  checkKnownGaps(options);
  const chosen = select(options.only);
  const started = performance.now();
  const results = new Map<Scenario, ScenarioResult>();
  let capabilities = declaredCapabilities(options.capabilities);
  let hangs = 0;

  const run = async (scenario: Scenario): Promise<void> => {
    if (hangs >= HANGS_UNTIL_GIVEN_UP) {
      settle(scenario, notTried(scenario));
      return;
    }
    const outcome = await runScenario(scenario, options, options.timeoutScale);
    hangs = outcome.hung ? hangs + 1 : 0;
    if (outcome.capabilities !== undefined) capabilities = outcome.capabilities;
    settle(scenario, outcome.result);
  };
  const settle = (scenario: Scenario, result: ScenarioResult): void => {
    results.set(scenario, result);
    options.onResult?.(result);
  };

  const waiting = chosen.values();
  const work = async (): Promise<void> => {
    for (const scenario of waiting) await run(scenario);
  };
  await Promise.all(Array.from({ length: Math.max(1, options.concurrency ?? 1) }, work));

  const ordered = chosen.map((scenario) => results.get(scenario)!);
  const count = (...statuses: ScenarioResult["status"][]): number =>
    ordered.filter(({ status }) => statuses.includes(status)).length;
  return {
    name: options.name,
    level: levelOf(ordered),
    passed: count("passed"),
    failed: count("failed", "unexpected-pass"),
    skipped: count("skipped"),
    expectedFailures: count("expected-failure"),
    durationMs: Math.round(performance.now() - started),
    capabilities,
    results: ordered,
  };
}

function notTried({ id, group }: Scenario): ScenarioResult {
  const message = `Not tried: the ${HANGS_UNTIL_GIVEN_UP} scenarios before it ran into their time limits`;
  return { id, group, status: "failed", error: { message }, durationMs: 0 };
}
