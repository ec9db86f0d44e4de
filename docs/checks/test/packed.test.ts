import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { inProject, projectWithPackages } from "../src/packed/project.js";
import { environment } from "../src/snippets/servers.js";

describe("the packages, packed and installed into an empty project", () => {
  let project: string;
  let complaints: string;

  beforeAll(async () => {
    project = await projectWithPackages();
    // The programs that run below are what the compiler emits here.
    const args = [TSC, ...COMMON, "--module", "node16", "use.mts", "use.cts"];
    complaints = await inProject(project, "node", args).catch(String);
  });

  afterAll(() => {
    if (project !== undefined) rmSync(project, { recursive: true, force: true });
  });

  it("have types for ESM and for CommonJS", () => {
    expect(complaints).toBe("");
  });

  it.each(["use.mjs", "use.cjs"])("work in a graph: %s", async (file) => {
    const output = await inProject(
      project,
      "node",
      [file, join(project, file.replace(".", "-"))],
      environment(inject("servers")),
    );
    expect(JSON.parse(output)).toEqual({
      counts: [2, 2, 2, 2],
      code: "SAVER_CLOSED",
      failed: 0,
      passed: true,
    });
  });

  it("have types for bundlers", async () => {
    const args = ["--module", "esnext", "--moduleResolution", "bundler", "--noEmit", "use.mts"];
    expect(await inProject(project, "node", [TSC, ...COMMON, ...args])).toBe("");
  });

  it("have commands", async () => {
    const bin = (name: string) => join(project, "node_modules", ".bin", name);
    expect(await inProject(project, bin("langgraph-savers"), ["--help"])).toContain("Usage");
    expect(await inProject(project, bin("langgraph-savers-conformance"), ["--list"])).toContain("put");
  });
});

const TSC = join("node_modules", "typescript", "bin", "tsc");
const COMMON = ["--strict", "--skipLibCheck", "--target", "es2022", "--types", "node"];
