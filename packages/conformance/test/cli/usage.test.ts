import { afterAll, describe, expect, it } from "vitest";

import { scenarios } from "../../src/index.js";
import { Project } from "./command.js";

const project = new Project();
afterAll(() => project.remove());

describe.concurrent("what is asked in a way that cannot be meant", () => {
  it.each([
    [["--nonsense"], "--nonsense"],
    [[], "Name a target"],
    [["memory", "--reporter", "xml"], "terminal, json, junit, markdown, html"],
    [["memory", "--reporter", "json="], "names no file"],
    [["memory", "--reporter", "json", "--reporter", "junit"], "--reporter junit=FILE"],
    [["memory", "--output", "x.json"], "--output names the file of one reporter"],
    [["memory", "-r", "json", "-r", "html", "-o", "x"], "--output names the file of one reporter"],
    [["memory", "--timeout-scale", "0"], "a number above 0"],
    [["memory", "--timeout-scale", "soon"], "a number above 0"],
    [["memory", "--only", "no.such-*"], "No scenario matches --only no.such-*"],
    [["--list", "--only", "no.such-*"], "No scenario matches"],
  ])("%j is exit code 2, and says %j", async (args, words) => {
    const { code, stdout, stderr } = await project.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(words);
    expect(stderr).toContain("See --help.");
  });
});

describe.concurrent("what is asked about the command itself", () => {
  it("--help fits 80 columns, and names options, targets and exit codes", async () => {
    const { code, stdout } = await project.run(["--help"]);
    expect(code).toBe(0);
    for (const word of ["--only", "--reporter", "--badge", "official-sqlite", "in-memory", "Exit code"])
      expect(stdout).toContain(word);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("--version is the version of the package", async () => {
    const { code, stdout } = await project.run(["--version"]);
    expect({ code, version: stdout.trim() }).toEqual({
      code: 0,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  it("--list is the catalogue: every id, and as many as there are", async () => {
    const { code, stdout } = await project.run(["--list"]);
    expect(code).toBe(0);
    for (const { id } of scenarios) expect(stdout).toContain(`  ${id}`);
    expect(stdout).toMatch(new RegExp(`^${scenarios.length} scenarios$`, "m"));
  });

  it("--list --only takes a group, an id or a pattern", async () => {
    const count = (group: string) => scenarios.filter((scenario) => scenario.group === group).length;
    for (const [pattern, found] of [
      ["put", count("put")],
      ["put.returns-three-keys", 1],
      ["putWrites.*", count("putWrites")],
    ] as const) {
      const { stdout } = await project.run(["--list", "--only", pattern]);
      expect(stdout).toMatch(new RegExp(`^${found} scenarios$`, "m"));
    }
  });
});
