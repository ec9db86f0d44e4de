import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { parseXml } from "../reporters/xml-parser.js";
import { type Finished, losesWrites, Project } from "./command.js";

const project = new Project({ "loses-writes.mjs": losesWrites });
const quick = ["--only", "put.returns-three-keys"];
const only = ["--only", "interrupts", ...quick];
afterAll(() => project.remove());

function written(name: string): string {
  return readFileSync(project.path(name), "utf8");
}

describe("reports in files", () => {
  let finished: Finished;

  beforeAll(async () => {
    const reporters = [
      "json=out/report.json",
      "junit=out/report.xml",
      "markdown=report.md",
      "html=report.html",
    ];
    finished = await project.run([
      "memory",
      "loses-writes.mjs",
      ...only,
      ...reporters.flatMap((reporter) => ["--reporter", reporter]),
      "--badge",
      "badge.svg",
    ]);
  });

  it("leave the screen to the summary", () => {
    expect(finished.code).toBe(1);
    expect(finished.stdout).toMatch(/^✗ LosesWrites {2}not graded$/m);
  });

  it("are what they say they are", () => {
    const { reports } = JSON.parse(written("out/report.json")) as {
      reports: { name: string; results: unknown[] }[];
    };
    expect(reports.map(({ name }) => name)).toEqual(["MemorySaver", "LosesWrites"]);
    const cases = reports.reduce((sum, { results }) => sum + results.length, 0);
    expect(parseXml(written("out/report.xml")).attributes).toMatchObject({ tests: String(cases) });
    expect(written("report.md")).toContain("| Scenario | MemorySaver | LosesWrites |");
    expect(written("report.html")).toMatch(/^<!doctype html>/);
    expect(parseXml(written("badge.svg")).name).toBe("svg");
  });
});

describe.concurrent("the screen", () => {
  it("has the report that a program asked for, and the summary on the other stream beside it", async () => {
    const { stdout, stderr } = await project.run(["memory", ...quick, "-r", "json", "-r", "terminal"]);
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
    expect(stderr).toMatch(/^✓ MemorySaver {2}not graded$/m);
  });

  it("is left alone with --output, and has colours when told so", async () => {
    const args = ["memory", ...quick, "-r", "markdown", "-o", "alone.md"];
    const { stdout, stderr } = await project.run(args, { FORCE_COLOR: "1" });
    expect(existsSync(project.path("alone.md"))).toBe(true);
    expect(stdout).not.toContain("| Saver |");
    expect(stderr).toContain("\u001b[32m");
  });

  it("has a line for each scenario where nobody watches, and no colours under NO_COLOR", async () => {
    const { stdout, stderr } = await project.run(["memory", ...quick], { FORCE_COLOR: "1", NO_COLOR: "1" });
    expect(stderr).toMatch(/^MemorySaver: 1 scenarios\n✓ MemorySaver put\.returns-three-keys \(\d+ ms\)\n$/);
    expect(stdout).not.toContain("\u001b");
  });
});
