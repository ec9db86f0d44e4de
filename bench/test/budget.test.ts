import { describe, expect, it } from "vitest";

import { BUDGET } from "../src/paths.js";
import { checkBudget, readBudget, type Budget } from "../src/suite/budget.js";
import { MEASURES } from "../src/suite/measures.js";
import { SUBJECTS } from "../src/subjects/registry.js";
import { WORKLOADS } from "../src/workloads/index.js";
import { outcome, resultsOf } from "./sample.js";

const results = resultsOf([
  outcome("file-sync", { time: [4, 4] }),
  outcome("file-group", { time: [2, 2] }),
  outcome("sqlite-full", { time: [6, 6] }),
]);

function budget(changes: Partial<Budget["ratios"][number]>): Budget {
  const ratio = {
    workload: "chat-1k",
    measure: "time",
    ours: ["file-sync"],
    peer: "sqlite-full",
    atLeast: 2,
  } as const;
  return { ratios: [{ ...ratio, ours: [...ratio.ours], ...changes }], limits: [] };
}

describe("the budget", () => {
  it("misses a ratio that is too small", () => {
    expect(checkBudget(budget({}), results)).toMatchObject([{ found: "1.5×", holds: false }]);
    expect(checkBudget(budget({ atLeast: 1.5 }), results)).toMatchObject([{ holds: true }]);
  });

  it("takes the best of several of ours", () => {
    expect(checkBudget(budget({ ours: ["file-sync", "file-group"] }), results)).toMatchObject([
      { found: "3.0×", holds: true },
    ]);
  });

  it("says what was not measured instead of judging it", () => {
    for (const changes of [{ peer: "mongodb" }, { scale: "quick" }, { workload: "wide" }] as const) {
      const [line] = checkBudget(budget(changes), results);
      expect(line).toMatchObject({ found: undefined, holds: true });
    }
  });

  it("holds figures to their limits", () => {
    const limits: Budget["limits"] = [
      { workload: "chat-1k", measure: "time", subject: "file-sync", atMost: 3 },
      { workload: "chat-1k", measure: "time", subject: "file-group", atMost: 3 },
    ];
    expect(checkBudget({ ratios: [], limits }, results).map(({ holds }) => holds)).toEqual([false, true]);
  });

  it("names only what there is", () => {
    const { ratios, limits } = readBudget(BUDGET);
    const subjects = [
      ...ratios.flatMap(({ ours, peer }) => [...ours, peer]),
      ...limits.map(({ subject }) => subject),
    ];
    const known = new Set(SUBJECTS.map(({ id }) => id));
    expect(subjects.filter((id) => !known.has(id))).toEqual([]);
    const workloads = new Set(WORKLOADS.map(({ id }) => id));
    expect(
      [...ratios, ...limits].filter((each) => !workloads.has(each.workload) || !(each.measure in MEASURES)),
    ).toEqual([]);
  });
});
