import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const demo = fileURLToPath(new URL("../src/demo.ts", import.meta.url));

describe("the demo", () => {
  const directory = mkdtempSync(join(tmpdir(), "langgraph-savers-demo-test-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it("is killed, resumes, goes back in time and forks", () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ["--import", "tsx", demo, directory], {
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1" },
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(stdout).toMatch(/ended by SIGKILL/);
    expect(stdout).toMatch(/found 3 messages, next: approve/);
    expect(stdout).toMatch(/the fork ends: {5}No refund was made\./);
    expect(stdout).toMatch(/the first answer: {2}Refunded 89\.90 EUR\./);
  });
});
