import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";

import { conformanceSuite } from "../src/entries/bdd.js";
import { scenarios } from "../src/index.js";
import { SnapshotSaver } from "./savers/architectures.js";
import { targetOf } from "./savers/target.js";

interface Registered {
  path: string[];
  title: string;
  run: () => Promise<void>;
  timeoutMs: number | undefined;
}

/** A `describe` and an `it` that remember what they were given. */
function recorder() {
  const tests: Registered[] = [];
  const path: string[] = [];
  return {
    tests,
    describe: (title: string, body: () => void) => {
      path.push(title);
      body();
      path.pop();
    },
    it: (title: string, run: () => Promise<void>, timeoutMs?: number) => {
      tests.push({ path: [...path], title, run, timeoutMs });
    },
  };
}

describe("the entry for any describe and it", () => {
  it("makes a test of each scenario, by group, with time enough", () => {
    const { tests, ...runner } = recorder();
    conformanceSuite(targetOf("mine", SnapshotSaver), runner);
    expect(tests).toHaveLength(scenarios.length);
    expect(tests[0]!.path).toEqual(["conformance: mine", scenarios[0]!.group]);
    expect(tests[0]!.title).toBe(`${scenarios[0]!.id}: ${scenarios[0]!.rule}`);
    expect(tests.every(({ timeoutMs }) => timeoutMs! >= 20_000)).toBe(true);
  });

  it("passes and fails with the scenario, and says what broke", async () => {
    const { tests, ...runner } = recorder();
    conformanceSuite(
      {
        name: "MemorySaver",
        create: () => ({ saver: new MemorySaver() }),
        only: ["put.no-channels", "getTuple.three-keys"],
      },
      runner,
    );
    await expect(tests[0]!.run()).resolves.toBeUndefined();
    await expect(tests[1]!.run()).rejects.toThrow(/expected: .*came: .*rule: .*because: /s);
  });

  it("leaves out what is declared as absent", () => {
    const { tests, ...runner } = recorder();
    conformanceSuite({ ...targetOf("mine", SnapshotSaver), capabilities: { faults: false } }, runner);
    expect(tests.filter(({ title }) => title.startsWith("faults."))).toEqual([]);
  });

  it("fails what is absent and not declared so, since it cannot skip", async () => {
    const { tests, ...runner } = recorder();
    conformanceSuite(
      { name: "bare", create: () => ({ saver: new SnapshotSaver() }), only: ["reopen.put-is-seen"] },
      runner,
    );
    await expect(tests[0]!.run()).rejects.toThrow("capabilities: { reopen: false }");
  });
});

describe("the entries for test runners", () => {
  const folder = fileURLToPath(new URL("entries", import.meta.url));
  const run = async (command: string, args: string[]): Promise<{ code: number; output: string }> => {
    // vitest marks the processes that it starts, and node:test those it starts: neither is to think it is inside the other.
    const { NODE_TEST_CONTEXT: _, VITEST: __, ...env } = process.env;
    try {
      const { stdout, stderr } = await promisify(execFile)(command, args, { cwd: folder, env });
      return { code: 0, output: stdout + stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, output: stdout + stderr };
    }
  };

  it("node:test: one passes, one fails, one is skipped", { timeout: 60_000 }, async () => {
    const args = ["--import", "tsx", "--test", "--test-reporter=tap", "node-test.fixture.ts"];
    const { code, output } = await run(process.execPath, args);
    expect(code).toBe(1);
    expect(output).toMatch(/^# pass 1$/m);
    expect(output).toMatch(/^# fail 1$/m);
    expect(output).toMatch(/^# skipped 1$/m);
    expect(output).toContain("SKIP the target has no reopen");
  });

  it("vitest: one passes, one fails, one is skipped", { timeout: 60_000 }, async () => {
    const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
    const args = [vitest, "run", "--root", folder, "--reporter=json", "--config", "vitest.fixture.config.ts"];
    const { code, output } = await run(process.execPath, args);
    expect(code).toBe(1);
    const report = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)) as object;
    expect(report).toMatchObject({ numPassedTests: 1, numFailedTests: 1, numPendingTests: 1 });
  });
});
