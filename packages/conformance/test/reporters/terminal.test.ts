import { displayWidth } from "@langgraph-savers/command/terminal";
import { describe, expect, it } from "vitest";

import type { TargetRun } from "../../src/reporters/reporter.js";
import { terminal } from "../../src/reporters/terminal/index.js";
import { badRun, goodRun, inputOf, result, runOf } from "./sample.js";

function shown(runs: TargetRun[], columns = 80, colour = false): string {
  return terminal(inputOf(...runs), { columns, colour });
}

describe("the terminal summary", () => {
  it("explains a failure: the rule, what was found, expected, came, and what breaks", () => {
    const text = shown([badRun]);
    const labels = ["Rule", "Found", "Expected", "Came", "Breaks"];
    const at = text.indexOf("✗ putWrites.regular-first-wins");
    const positions = labels.map((label) => text.indexOf(`\n  ${label}`, at));
    expect(positions.every((position) => position > at)).toBe(true);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(text).toContain("A regular write that is there already wins over a later one.");
    expect(text).toContain('["task", "channel", "first"]');
    expect(text).toContain("A task that is retried after a crash would change writes that");
  });

  it("ends with the level, the counts, what is absent and what was noticed", () => {
    const lines = shown([badRun]).trimEnd().split("\n").slice(-5);
    expect(lines).toEqual([
      '✗ Bad "Saver" <v2> & co  not conformant',
      "  breaks a rule that LangGraph relies on",
      "  0 passed, 2 failed, 1 known gap, 1 skipped in 1.2 s",
      "  Not there, so not judged: faults",
      "  ! left open after cleanup: 2 × TCPSocketWrap",
    ]);
  });

  it("tells nothing of failures where there are none", () => {
    expect(shown([goodRun])).not.toMatch(/Rule|Breaks|✗/);
  });

  it("shows several savers as a matrix of groups", () => {
    const text = shown([badRun, goodRun]);
    expect(text).toMatch(/^ {11}Bad "Saver" <v2> & co {2}GoodSaver$/m);
    expect(text).toMatch(/^putWrites {2}✗ 1\/1 fail +✓ 1$/m);
    expect(text).toMatch(/^faults +– 1 skip +– 1 skip$/m);
  });

  it.each([40, 80, 160])("stays within %i columns", (columns) => {
    const many = [badRun, goodRun, runOf("一个名字非常长的检查点保存器", goodRun.report.results)];
    for (const runs of [[badRun], many]) {
      const widths = shown(runs, columns).split("\n").map(displayWidth);
      expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
    }
  });

  it("tells a finding once that a hundred scenarios share", () => {
    const error = { message: "create failed: no such server" };
    const ids = badRun.report.results.map(({ id }) => id);
    const text = shown([
      runOf(
        "Broken",
        ids.map((id) => result(id, { status: "failed", error })),
      ),
    ]);
    expect(text.match(/no such server/g)).toHaveLength(1);
    for (const id of ids) expect(text).toContain(id);
    const others = Array.from({ length: 100 }, (_, index) =>
      result(`other.${index}`, { status: "failed", error }),
    );
    expect(shown([runOf("Broken", others)])).toMatch(/the same in other\.1, .* and 91 more/s);
  });

  it("lets no escape sequence of a saver reach the screen", () => {
    // oxlint-disable-next-line no-control-regex
    expect(shown([badRun, goodRun])).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it("paints where it may, and says the same without", () => {
    const painted = shown([badRun], 80, true);
    expect(painted).toContain("\u001b[31m");
    // oxlint-disable-next-line no-control-regex
    expect(painted.replaceAll(/\u001b\[[\d;]+m/g, "")).toBe(shown([badRun]));
  });
});
