import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";

import type { ConformanceReport } from "../../src/report.js";
import { losesWrites, Project } from "./command.js";

const imports = 'import { MemorySaver } from "@langchain/langgraph-checkpoint";\n';

function saverThat(name: string, put: string): string {
  return `${imports}
    class Saver extends MemorySaver {
      async put(...args) {
        ${put}
        return super.put(...args);
      }
    }
    export default { name: "${name}", create: () => ({ saver: new Saver() }) };`;
}

const project = new Project({
  "loses-writes.mjs": losesWrites,
  "hangs.mjs": saverThat("Hangs", "await new Promise(() => {});"),
  "blocks.mjs": saverThat("Blocks", "for (;;);"),
  "exits.mjs": saverThat("Exits", "process.exit(0);"),
  "talks.mjs": saverThat("Talks", 'console.log("I am talking"); console.error("and complaining");'),
  "late.mjs": saverThat("Late", 'setTimeout(() => Promise.reject(new Error("too late")), 400);'),
  "stays-open.mjs": `${imports}
    import { createServer } from "node:net";
    export default { name: "StaysOpen", create: async () => {
      const server = createServer();
      await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
      return { saver: new MemorySaver() };
    } };`,
  "leaves-a-server.mjs": `${imports}
    import { spawn } from "node:child_process";
    import { writeFileSync } from "node:fs";
    export default () => {
      const server = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
      writeFileSync("server.pid", String(server.pid));
      return new MemorySaver();
    };`,
  "no-server.mjs": 'export default () => { throw new Error("connect ECONNREFUSED") };',
});
afterAll(() => project.remove());

interface JsonOutput {
  reports: (ConformanceReport & { notes: string[] })[];
}

async function judged(target: string, ...args: string[]) {
  const { code, stdout, stderr } = await project.run([target, "--reporter", "json", ...args]);
  const { reports } = JSON.parse(stdout) as JsonOutput;
  const [report] = reports;
  if (report === undefined) throw new Error("no report");
  return { code, report, stderr };
}

describe.concurrent("the exit code", () => {
  it("is 1 for a saver that breaks a rule, with the failure explained", async () => {
    const { code, stdout } = await project.run(["loses-writes.mjs", "--only", "putWrites"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ LosesWrites {2}not graded$/m);
    expect(stdout).toMatch(/^✗ putWrites\./m);
    for (const label of ["Rule", "Found", "Breaks"]) expect(stdout).toMatch(new RegExp(`^  ${label} `, "m"));
  });

  it("is 1 when one of several does", async () => {
    const { code, stdout } = await project.run(["memory", "loses-writes.mjs", "--only", "interrupts"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ +MemorySaver +LosesWrites$/m);
    expect(stdout).toMatch(/^interrupts +✓ \d+ +✗ \d+\/\d+ fail$/m);
  });
});

describe.concurrent("a saver that must be reported and not suffered", () => {
  it("hangs: the scenario fails at its time limit", async () => {
    const { code, report } = await judged(
      "hangs.mjs",
      "--only",
      "put.returns-three-keys",
      "--timeout-scale",
      "0.1",
    );
    expect(code).toBe(1);
    expect(report.results).toMatchObject([
      { status: "failed", error: { message: expect.stringContaining("did not end") } },
    ]);
  });

  it("blocks the event loop: its process is ended, and the scenarios after it are tried", async () => {
    const only = ["--only", "put.returns-three-keys", "--only", "list.limit-zero"];
    const { code, report } = await judged("blocks.mjs", ...only, "--timeout-scale", "0.05");
    expect(code).toBe(1);
    expect(report).toMatchObject({ name: "Blocks", level: "not conformant", failed: 2 });
    expect(report.results[0]?.error?.message).toContain("blocked the event loop for 3 s");
  });

  it("ends the process: each scenario that does so fails, and after a few the rest is not tried", async () => {
    const { code, report } = await judged("exits.mjs", "--only", "put");
    expect(code).toBe(1);
    expect(report.level).toBe("not conformant");
    expect(report.results.slice(0, 3).map(({ error }) => error?.message)).toEqual(
      Array(3).fill("The process ended while this was tried: exit code 0."),
    );
    expect(report.results.at(-1)?.error?.message).toContain("Not tried");
    expect(report.results).toHaveLength(report.failed);
  });

  it("throws from create: told once, and no hang", async () => {
    const { code, stdout } = await project.run(["no-server.mjs", "--only", "put"]);
    expect(code).toBe(1);
    expect(stdout.match(/ECONNREFUSED/g)).toHaveLength(1);
    expect(stdout).toContain("the same in put.");
  });

  it("leaves handles open: told, and the command ends", async () => {
    const { code, report } = await judged("stays-open.mjs", "--only", "put.returns-three-keys");
    expect(code).toBe(0);
    expect(report.notes).toEqual([expect.stringMatching(/^Left open after cleanup.*TCPServerWrap/)]);
  });

  it("leaves a process running that holds its output open: the command ends all the same", async () => {
    const { code, report } = await judged("leaves-a-server.mjs", "--only", "put.returns-three-keys");
    const server = Number(readFileSync(project.path("server.pid"), "utf8"));
    // Throws where there is no such process: it must have outlived the command.
    process.kill(server, "SIGKILL");
    expect({ code, passed: report.passed }).toEqual({ code: 0, passed: 1 });
    expect(report.notes).toEqual([expect.stringContaining("ProcessWrap")]);
  });

  it("rejects a promise that nobody waits for: told", async () => {
    const { report, code } = await judged("late.mjs", "--only", "put.returns-three-keys");
    const told = [...report.notes, ...report.results.map(({ error }) => error?.message ?? "")].join("\n");
    expect(told).toContain("too late");
    expect(code).toBeLessThan(2);
  });

  it("prints: its words go to the standard error, and the report stays one", async () => {
    const { report, stderr } = await judged("talks.mjs", "--only", "put.returns-three-keys");
    expect(report.name).toBe("Talks");
    expect(stderr).toContain("I am talking");
    expect(stderr).toContain("and complaining");
  });
});

describe.concurrent("what is left behind", () => {
  const only = ["--only", "put.returns-three-keys"];

  it("is nothing", async () => {
    const TMPDIR = temporaryFolder("whole-run");
    await project.run(["memory", ...only], { TMPDIR });
    expect(readdirSync(TMPDIR)).toEqual([]);
  });

  it("is nothing after Ctrl-C", async () => {
    const TMPDIR = temporaryFolder("interrupted");
    const { code } = await project.run(["hangs.mjs", ...only], { TMPDIR }, "Hangs: 1 scenarios");
    expect(code).toBe(130);
    // The compiler keeps a cache there, for all who use it.
    expect(readdirSync(TMPDIR).filter((name) => !name.startsWith("tsx-"))).toEqual([]);
  });

  function temporaryFolder(name: string): string {
    mkdirSync(project.path(name));
    return project.path(name);
  }
});
