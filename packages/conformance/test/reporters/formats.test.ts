import { describe, expect, it } from "vitest";

import { badge } from "../../src/reporters/badge.js";
import { reporters } from "../../src/reporters/index.js";
import type { Reporter, TargetRun } from "../../src/reporters/reporter.js";
import { badRun, goodRun, inputOf, result, runOf } from "./sample.js";
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
  const many = made(reporters.markdown, badRun, goodRun);

  it("starts with the level of each saver, and the groups in figures", () => {
    const rows = many.slice(0, many.indexOf("###")).split("\n");
    expect(rows).toContain("| **GoodSaver** | durable | 3 passed, 1 skipped |  |");
    expect(rows).toContain("| put | ❌ 0 of 2 | ✅ 2 |");
    expect(rows).toContain("| putWrites | ❌ 0 of 1 | ✅ 1 |");
    expect(rows).toContain("| faults | ➖ | ➖ |");
  });

  it("has a row for each scenario that not all pass, in the order of the catalogue", () => {
    expect(many.split("\n").filter((line) => line.startsWith("| `"))).toEqual([
      "| `put.same-id-is-one-checkpoint` | 🟡 | ✅ |",
      "| `put.keeps-the-parent` | ❗ | ✅ |",
      "| `putWrites.regular-first-wins` | ❌ | ✅ |",
      "| `faults.outage-rejects` | ➖ | ➖ |",
    ]);
  });

  it("names in one line what all pass", () => {
    const text = made(reporters.markdown, goodRun);
    expect(text).toContain("✅ passed: `put.same-id-is-one-checkpoint`, `put.keeps-the-parent`");
  });

  it("explains what fails in its group, and keeps markup of a saver's words from working", () => {
    expect(many).toContain(String.raw`\<b\>not bold\</b\>`);
    expect(many).toContain("**`putWrites.regular-first-wins`** A regular write that is there already wins");
    expect(many).toContain("_Otherwise:_ A task that is retried after a crash");
    expect(many).toContain("declared: upserts are planned for 2.0");
    expect(many).toContain('came ``[ "task", "channel", "`second`" ]``');
    expect(many).not.toContain("\u001b");
  });

  it("tells once what several savers do in the same way, whatever the ids", () => {
    const failing = (name: string, id: string) =>
      runOf(name, [
        result("put.keeps-the-parent", { status: "failed", error: { message: "lost", actual: `'${id}'` } }),
      ]);
    const text = made(
      reporters.markdown,
      failing("One", "1f0e35f9-5ca0-6a30-8001-1c1a1d4f7d10"),
      failing("Two", "1f0e35f9-5ca0-6a31-8001-1c1a1d4f7d11"),
    );
    expect(text).toContain("- ❌ **One**, **Two**: lost; came `'1f0e35f9-5ca0-6a30-8001-1c1a1d4f7d10'`");
  });

  it("explains nothing where nothing fails", () => {
    expect(made(reporters.markdown, goodRun)).not.toContain("_Otherwise:_");
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
