import type { Scenario } from "../scenario.js";

/** Makes the scenarios of one group: the group is the first part of every id. */
export function inGroup(group: string): (name: string, scenario: Omit<Scenario, "id" | "group">) => Scenario {
  return (name, scenario) => ({ id: `${group}.${name}`, group, ...scenario });
}
