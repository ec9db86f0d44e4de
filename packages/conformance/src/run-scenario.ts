import { brief, shortened } from "./brief.js";
import type { Capabilities } from "./capabilities.js";
import { CheckFailure } from "./check.js";
import { TimeLimitExceeded, within } from "./deadline.js";
import { NotAvailable } from "./errors.js";
import type { ScenarioFailure, ScenarioResult } from "./report.js";
import type { ConformanceTarget, Scenario } from "./scenario.js";
import { watchStrayErrors } from "./stray-errors.js";
import { openWorld, type OpenWorld } from "./world.js";

const DEFAULT_LIMIT_MS = 20_000;

export interface ScenarioOutcome {
  result: ScenarioResult;
  /** What was found out about the target; nothing where `create` failed. */
  capabilities?: Capabilities;
  /** It was stopped by its time limit. */
  hung: boolean;
}

interface Attempt {
  capabilities?: Capabilities;
  skipped?: string;
  errors: unknown[];
}

/** How long a scenario may take, all in all, before it is given up. */
export function timeLimit(scenario: Scenario, timeoutScale = 1): number {
  return (scenario.timeoutMs ?? DEFAULT_LIMIT_MS) * timeoutScale;
}

/** Tries one scenario on a fresh saver. Whatever the saver does becomes the result; this never rejects. */
export async function runScenario(
  scenario: Scenario,
  target: ConformanceTarget,
  timeoutScale = 1,
): Promise<ScenarioOutcome> {
  const started = performance.now();
  const strays = watchStrayErrors();
  const attempt = await tryScenario(scenario, target, timeLimit(scenario, timeoutScale));
  const errors = [...attempt.errors, ...(await strays.stop()).map(strayError)];
  const result: ScenarioResult = {
    id: scenario.id,
    group: scenario.group,
    status: errors.length > 0 ? "failed" : attempt.skipped === undefined ? "passed" : "skipped",
    durationMs: Math.round(performance.now() - started),
  };
  if (errors.length > 0) result.error = failureOf(errors[0]);
  else if (attempt.skipped !== undefined) result.reason = attempt.skipped;
  return {
    result: withKnownGap(result, target.knownGaps),
    hung: errors[0] instanceof TimeLimitExceeded,
    ...(attempt.capabilities === undefined ? {} : { capabilities: attempt.capabilities }),
  };
}

async function tryScenario(scenario: Scenario, target: ConformanceTarget, limitMs: number): Promise<Attempt> {
  const attempt: Attempt = { errors: [] };
  let opening: Promise<OpenWorld> | undefined;
  let open: OpenWorld | undefined;
  try {
    open = await within(limitMs, "create()", () => (opening = openWorld(target)));
    const { world, capabilities } = open;
    attempt.capabilities = capabilities;
    const missing = scenario.needs?.filter((capability) => !capabilities[capability]) ?? [];
    if (missing.length > 0) attempt.skipped = `the target has no ${missing.join(", no ")}`;
    else await within(limitMs, "The scenario", () => scenario.run(world));
  } catch (error) {
    if (error instanceof NotAvailable) attempt.skipped = error.message;
    else attempt.errors.push(error);
  }
  // A saver that arrives too late is still released.
  if (open === undefined) opening?.then((late) => late.close()).catch(() => {});
  try {
    await within(limitMs, "cleanup()", async () => open?.close());
  } catch (error) {
    attempt.errors.push(error);
  }
  return attempt;
}

function withKnownGap(
  result: ScenarioResult,
  knownGaps: ConformanceTarget["knownGaps"] = {},
): ScenarioResult {
  if (!Object.hasOwn(knownGaps, result.id)) return result;
  const reason = knownGaps[result.id]!;
  if (result.status === "failed") return { ...result, status: "expected-failure", reason };
  if (result.status !== "passed") return result;
  const message = `It is listed as a known gap (${reason}), and passes: take it off the list`;
  return { ...result, status: "unexpected-pass", reason, error: { message } };
}

function strayError(cause: unknown): Error {
  return new Error(`An error reached nobody (unhandled rejection or exception): ${messageOf(cause)}`, {
    cause,
  });
}

function failureOf(error: unknown): ScenarioFailure {
  const failure: ScenarioFailure = { message: messageOf(error) };
  if (error instanceof CheckFailure) {
    if (error.expected !== undefined) failure.expected = error.expected;
    if (error.actual !== undefined) failure.actual = error.actual;
  }
  if (error instanceof Error && error.stack !== undefined) failure.stack = shortened(error.stack);
  return failure;
}

/** Shortened: a driver's error may print all that it was about to store. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return `Something that is no Error was thrown: ${textOf(error)}`;
  return error instanceof CheckFailure || error instanceof TimeLimitExceeded
    ? error.message
    : shortened(`${error.name}: ${error.message}`);
}

function textOf(thrown: unknown): string {
  return typeof thrown === "string" ? shortened(thrown) : brief(thrown);
}
