import type { Scenario } from "../scenario.js";
import { UsageError } from "./usage-error.js";

/** The scenarios whose id or group matches one of the patterns, where `*` stands for anything; all without patterns. */
export function selectScenarios(all: readonly Scenario[], patterns: readonly string[]): readonly Scenario[] {
  if (patterns.length === 0) return all;
  const wanted = new Set<Scenario>();
  for (const pattern of patterns) {
    const expression = globExpression(pattern);
    const found = all.filter(({ id, group }) => expression.test(id) || expression.test(group));
    if (found.length === 0)
      throw new UsageError(`No scenario matches --only ${pattern}. See the catalogue with --list.`);
    for (const scenario of found) wanted.add(scenario);
  }
  return all.filter((scenario) => wanted.has(scenario));
}

function globExpression(pattern: string): RegExp {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}
