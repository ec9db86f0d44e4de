import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";

import { blocksOf } from "../src/markdown/blocks.js";
import { pages } from "../src/markdown/pages.js";
import { compile } from "../src/snippets/compile.js";
import { writeModules, type SnippetModule } from "../src/snippets/modules.js";
import { patternOf, printedBy, promisedOutput } from "../src/snippets/output.js";
import { environment, withAddress } from "../src/snippets/servers.js";
import { snippetsOf } from "../src/snippets/snippet.js";

// Changelogs tell of code that was; the reference of the API is made of signatures.
const snippets = pages(/^(?!.*CHANGELOG\.md$|docs\/api\/)/).flatMap((page) => snippetsOf(blocksOf(page)));
const compiled = snippets.filter(({ notCompiled }) => notCompiled === undefined);

let modules: Map<string, SnippetModule>;
let problems: Map<SnippetModule, string[]>;

beforeAll(() => {
  const servers = inject("servers");
  Object.assign(process.env, environment(servers));
  const written = writeModules(compiled, (code) => withAddress(code, servers));
  modules = new Map(written.map((module) => [module.snippet.place, module]));
  problems = compile(written);
});

describe("code on the pages compiles, and runs", () => {
  it.each(compiled.map((snippet) => [snippet.place, snippet] as const))("%s", async (place, snippet) => {
    const module = modules.get(place)!;
    expect(problems.get(module)).toEqual([]);
    if (snippet.notRun !== undefined) return;

    const printed = await inEmptyFolder(() => printedBy(() => import(module.file)));
    let next = 0;
    for (const line of promisedOutput(snippet.block.code)) {
      const at = printed.findIndex((text, index) => index >= next && patternOf(line).test(text));
      expect(at, `"${line}" among\n${printed.join("\n")}`).not.toBe(-1);
      next = at + 1;
    }
  });
});

describe("code that is left out", () => {
  const left = (reason: "notRun" | "notCompiled") =>
    snippets.flatMap((snippet) => {
      return snippet[reason] === undefined ? [] : [`${snippet.block.page}: ${snippet[reason]}`];
    });

  it("is only not compiled where it is not for Node", () => {
    expect(left("notCompiled")).toEqual([
      "packages/dynamodb/README.md: aws-cdk-lib is not a dependency of the workspace",
      "packages/mongodb/README.md: for mongosh",
    ]);
  });

  it("is only not run where another test does", () => {
    const suite = "a suite is a test file of its own; packages/conformance tests each entry";
    expect(left("notRun")).toEqual([
      "packages/conformance/README.md: examples/official-savers-with-the-kit runs the same",
      `packages/conformance/README.md: ${suite}`,
      `packages/conformance/README.md: ${suite}`,
      "packages/mongodb/README.md: needs a sharded cluster; packages/mongodb tests the commands that it sends",
    ]);
  });
});

async function inEmptyFolder<T>(work: () => Promise<T>): Promise<T> {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), "savers-docs-"));
  process.chdir(folder);
  try {
    return await work();
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  }
}
