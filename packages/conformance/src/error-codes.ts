/** Every code of a `ConformanceError`. Codes are stable: programs may branch on them. */
export type ConformanceErrorCode = "UNKNOWN_SCENARIO" | "BAD_TARGET" | "CAPABILITY_NOT_GIVEN";

/** What each code tells, in Markdown: docs/errors.md is made of it. A code without a note does not compile. */
export const ERROR_NOTES: Record<ConformanceErrorCode, { meaning: string; when: string; remedy: string }> = {
  UNKNOWN_SCENARIO: {
    meaning: "There is no scenario, and no group, of that name.",
    when: "`only` or `knownGaps` names what the kit does not have.",
    remedy: "Take the id from [SCENARIOS.md](../packages/conformance/SCENARIOS.md).",
  },
  BAD_TARGET: {
    meaning: "What a target gives is not what the kit can judge.",
    when: "`create()` does not return `{ saver }` with a `BaseCheckpointSaver`.",
    remedy: "Return one: see [writing a target](../packages/conformance/README.md#writing-a-target).",
  },
  CAPABILITY_NOT_GIVEN: {
    meaning:
      "A scenario needs a capability that the target has not, and the test runner cannot skip a test that runs.",
    when: "The kit is entered by `@langgraph-savers/conformance/bdd`, and `create()` leaves something out without a word.",
    remedy: "Let `create()` return it, or declare it as absent: `capabilities: { reopen: false }`.",
  },
};
