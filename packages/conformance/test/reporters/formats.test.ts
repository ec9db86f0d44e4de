import { describe, expect, it } from "vitest";

import { badge } from "../../src/reporters/badge.js";
import { reporters } from "../../src/reporters/index.js";
import type { Reporter, TargetRun } from "../../src/reporters/reporter.js";
import { badRun, goodRun, inputOf } from "./sample.js";
import { elementsOf, parseXml } from "./xml-parser.js";

function made(reporter: Reporter, ...runs: TargetRun[]): string {
  return reporter(inputOf(...runs), { columns: 80, colour: false });
}

describe("json", () => {
  it("is the reports, with what was noticed around them", () => {
    expect(JSON.parse(made(reporters.json, badRun, goodRun))).toEqual({
      version: "1.2.3",
      reports: [
        { ...badRun.report, notes: badRun.notes },
        { ...goodRun.report, notes: [] },
      ],
    });
  });
});

describe("junit", () => {
  it("is well-formed whatever a saver says", () => {
    const root = parseXml(made(reporters.junit, badRun, goodRun));
    expect(root).toMatchObject({
      name: "testsuites",
      attributes: { tests: "8", failures: "2", skipped: "3" },
    });
  });

  it("has a suite for each saver and group, whose figures are those of its cases", () => {
    const root = parseXml(made(reporters.junit, badRun, goodRun));
    const suites = elementsOf(root, "testsuite");
    expect(suites.map(({ attributes }) => attributes["name"])).toEqual(
      [badRun, goodRun].flatMap(({ report }) =>
        ["put", "putWrites", "faults"].map((group) => `${report.name} › ${group}`),
      ),
    );
    for (const suite of suites) {
      expect(Number(suite.attributes["tests"])).toBe(elementsOf(suite, "testcase").length);
      expect(Number(suite.attributes["failures"])).toBe(elementsOf(suite, "failure").length);
      expect(Number(suite.attributes["skipped"])).toBe(elementsOf(suite, "skipped").length);
    }
  });

  it("says in a failure which rule, what was found and what breaks", () => {
    const root = parseXml(made(reporters.junit, badRun));
    const failure = elementsOf(root, "failure").find(({ attributes }) => attributes["type"] === "failed");
    expect(failure?.attributes["message"]).toContain("<b>not bold</b>");
    for (const part of [
      "Rule: A regular write",
      'Expected: ["task"',
      '"`second`"',
      "Breaks: A task",
      "scenario.ts:1:2",
    ])
      expect(failure?.text).toContain(part);
  });
});

describe("markdown", () => {
  it("is a table with a column for each saver, in the order of the catalogue", () => {
    const text = made(reporters.markdown, badRun, goodRun);
    const rows = text.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows).toEqual([
      "| `put.same-id-is-one-checkpoint` | The same `put` twice is one checkpoint. | 🟡 | ✅ |",
      "| `put.keeps-the-parent` | A `put` whose parent is itself keeps the parent it had. | ❗ | ✅ |",
      "| `putWrites.regular-first-wins` | A regular write that is there already wins over a later one. | ❌ | ✅ |",
      "| `faults.outage-rejects` | An outage rejects, and never reads as an empty history. | ➖ | ➖ |",
    ]);
  });

  it("explains what fails, and keeps markup of a saver's words from working", () => {
    const text = made(reporters.markdown, badRun, goodRun);
    expect(text).toContain(String.raw`\<b\>not bold\</b\>`);
    expect(text).toContain("What fails, and what it breaks");
    expect(text).toContain("upserts are planned for 2.0");
    expect(text).toContain('      "`second`"');
    expect(text).not.toContain("\u001b");
  });

  it("has no section on failures where there are none", () => {
    expect(made(reporters.markdown, goodRun)).not.toContain("What fails");
  });
});

describe("html", () => {
  const page = made(reporters.html, badRun, goodRun);

  it("stands alone: it names no other resource and runs nothing", () => {
    expect(page).not.toMatch(/<(script|link|img|iframe)|\bsrc=|url\(|@import|https?:/);
  });

  it("has every scenario once, with a mark for each saver", () => {
    for (const { id } of badRun.report.results) expect(page.split(`id="${id}"`)).toHaveLength(2);
    expect(page.match(/aria-label="GoodSaver: passed"/g)).toHaveLength(3);
    expect(page).toContain('aria-label="Bad &quot;Saver&quot; &lt;v2&gt; &amp; co: failed"');
  });

  it("opens the groups in which something fails, and those only", () => {
    const groups = Array.from(
      page.matchAll(/<details class="group[^>]*>\s*<summary[^>]*>\s*<h2>(.*?)<\/h2>/g),
    );
    expect(groups.map(([tag, name]) => [name, tag.includes(" open>")])).toEqual([
      ["put", true],
      ["putWrites", true],
      ["faults", false],
    ]);
  });

  it("escapes what a saver says", () => {
    expect(page).toContain("&lt;b&gt;not bold&lt;/b&gt;");
    expect(page).not.toContain("<b>not bold");
  });

  it("is for light and dark, and for phones", () => {
    expect(page).toContain("prefers-color-scheme: dark");
    expect(page).toContain("width=device-width");
    expect(page).toContain("@media (max-width");
  });
});

describe("the badge", () => {
  it("is an image of the level", () => {
    const root = parseXml(made(badge, goodRun));
    expect(root).toMatchObject({ name: "svg", attributes: { "aria-label": "langgraph saver: durable" } });
  });

  it("names the savers when there are several", () => {
    const texts = elementsOf(parseXml(made(badge, badRun, goodRun)), "text").map(({ text }) => text);
    expect(texts).toEqual([badRun.report.name, "not conformant", "GoodSaver", "durable"]);
  });
});
