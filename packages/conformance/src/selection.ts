import { ConformanceError } from "./errors.js";
import type { ConformanceTarget, Scenario } from "./scenario.js";
import { scenarios } from "./scenarios/index.js";

/** The scenarios with these ids or of these groups, in the order of the catalogue; all of them unless told. */
export function select(only: readonly string[] | undefined): readonly Scenario[] {
  if (only === undefined) return scenarios;
  for (const name of only) {
    if (!scenarios.some(({ id, group }) => id === name || group === name)) throw unknown("only", name);
  }
  return scenarios.filter(({ id, group }) => only.includes(id) || only.includes(group));
}

/** A gap whose scenario is gone, or misspelt, would hide nothing and look as if it did. */
export function checkKnownGaps({ knownGaps }: ConformanceTarget): void {
  for (const name of Object.keys(knownGaps ?? {})) {
    if (!scenarios.some(({ id }) => id === name)) throw unknown("knownGaps", name);
  }
}

function unknown(option: string, name: string): ConformanceError {
  return new ConformanceError(
    "UNKNOWN_SCENARIO",
    `\`${option}\` names "${name}", and there is no such scenario: see SCENARIOS.md for the ids`,
  );
}
