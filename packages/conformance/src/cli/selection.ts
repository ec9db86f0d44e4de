import type { CatalogueEntry } from "../reporters/reporter.js";
import { UsageError } from "./usage-error.js";

/** The scenarios whose id or group matches one of the patterns, where `*` stands for anything; all without patterns. */
export function selectScenarios<Entry extends CatalogueEntry>(
  all: readonly Entry[],
  patterns: readonly string[],
): readonly Entry[] {
  if (patterns.length === 0) return all;
  const wanted = new Set<Entry>();
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
