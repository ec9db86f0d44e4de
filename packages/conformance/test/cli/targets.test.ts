import { afterAll, describe, expect, it } from "vitest";

import { Project } from "./command.js";

const imports = 'import { MemorySaver } from "@langchain/langgraph-checkpoint";\n';
const quick = ["--only", "put.returns-three-keys"];

const project = new Project({
  "target.ts": `${imports}
    enum Kind { Memory = "memory" }
    interface Named { name: string }
    const named: Named = { name: Kind.Memory };
    export default { ...named, create: (): { saver: MemorySaver } => ({ saver: new MemorySaver() }) };`,
  "function.mts": `${imports} export default async (): Promise<MemorySaver> => new MemorySaver();`,
  "named.mjs": `${imports} export const target = { name: "named", create: () => ({ saver: new MemorySaver() }) };`,
  "absolute.mjs": `${imports} export const target = { name: "by its whole path", create: () => new MemorySaver() };`,
  "create.mjs": `${imports} export const name = "beside create"; export const create = () => new MemorySaver();`,
  "common.cjs": `const { MemorySaver } = require("@langchain/langgraph-checkpoint");
    module.exports = { name: "common", create: () => ({ saver: new MemorySaver() }) };`,
  "common-ts.cts": `import { MemorySaver } from "@langchain/langgraph-checkpoint";
    export default { name: "common in TypeScript", create: () => ({ saver: new MemorySaver() }) };`,
  "helper.ts": `${imports} export const make = (): MemorySaver => new MemorySaver();`,
  "importing.ts": `import { make } from "./helper.js"; export default make;`,
  "class.ts": `${imports} export default class MySaver extends MemorySaver {}`,
  "nothing.ts": "export const saver = 1;",
  "throws.ts": 'throw new Error("no such setting: SECRET_PLACE");',
  "exits.ts": "process.exit(7);",
  "not-a-saver.ts": "export default () => ({ put: 1 });",
});
afterAll(() => project.remove());

describe.concurrent("a target by its path", () => {
  // One command for all: each is loaded in a process of its own, whatever the one before it did.
  const names = {
    "target.ts": "memory",
    "./function.mts": "function",
    "named.mjs": "named",
    "create.mjs": "beside create",
    "common.cjs": "common",
    "common-ts.cts": "common in TypeScript",
    "importing.ts": "importing",
    [project.path("absolute.mjs")]: "by its whole path",
  };

  it("is judged: TypeScript, ESM, CommonJS, a path to anywhere", { timeout: 240_000 }, async () => {
    const { code, stdout, stderr } = await project.run([...Object.keys(names), ...quick, "-r", "json"]);
    expect(stderr.match(/^✓/gm)).toHaveLength(8);
    const { reports } = JSON.parse(stdout) as { reports: { name: string }[] };
    expect(reports.map(({ name }) => name)).toEqual(Object.values(names));
    for (const report of reports) expect(report).toMatchObject({ passed: 1, failed: 0, notes: [] });
    expect(code).toBe(0);
  });

  it.each([
    ["missing.ts", "There is no file missing.ts, and no built-in target of that name. Built in: memory,"],
    ["class.ts", "Export a function that creates one"],
    ["nothing.ts", "exports no target"],
    ["exits.ts", "its process ended while it was loaded: exit code 7"],
    ["throws.ts", "throws.ts does not load: no such setting"],
  ])("%s is exit code 2, and says what to do", async (target, words) => {
    const { code, stdout, stderr } = await project.run([target, ...quick]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(words);
  });

  it("one whose `create` gives no saver fails, and says what it must give", async () => {
    const { code, stdout } = await project.run(["not-a-saver.ts", ...quick]);
    expect(code).toBe(1);
    expect(stdout).toContain("`create` returned neither a saver nor { saver, … }.");
  });
});

describe.concurrent("the LangGraph that a saver is judged with", () => {
  it("has the classes that the target has: TypeScript, CommonJS, ESM", { timeout: 120_000 }, async () => {
    const targets = ["target.ts", "common.cjs", "named.mjs"];
    const only = ["--only", "messages.still-works", "--only", "values.delta-snapshot"];
    const { code, stdout } = await project.run([...targets, ...only]);
    expect(stdout).not.toContain("✗");
    expect(code).toBe(0);
  });

  it.each([
    ["target.mjs", 'import "@langchain/langgraph-checkpoint"; export default () => new Map();'],
    ["target.cjs", 'require("@langchain/langgraph-checkpoint"); module.exports = () => new Map();'],
  ])("is the one of the project, for %s", async (name, text) => {
    const own = new Project({ [name]: text });
    try {
      own.replace({
        "@langchain/langgraph-checkpoint": "",
        "@langchain/langgraph": 'console.log("loaded from the project");',
      });
      const { stderr } = await own.run([name, ...quick]);
      expect(stderr.match(/loaded from the project/g)).toHaveLength(1);
    } finally {
      own.remove();
    }
  });
});

describe.concurrent("a built-in target", () => {
  it("MemorySaver is always there", async () => {
    const { code, stdout } = await project.run(["memory", ...quick]);
    expect(code).toBe(0);
    expect(stdout).toContain("✓ MemorySaver");
  });

  it("that is not installed is exit code 2, and says what to install", async () => {
    const { code, stderr } = await project.run(["official-sqlite", ...quick]);
    expect(code).toBe(2);
    expect(stderr).toContain("npm install @langchain/langgraph-checkpoint-sqlite");
  });

  it("is taken from the project in which the command runs", async () => {
    const elsewhere = new Project();
    try {
      elsewhere.install("@langgraph-savers/core", {
        "index.mjs": `import { MemorySaver } from "@langchain/langgraph-checkpoint";
          export class InMemorySaver extends MemorySaver {
            async putWrites() { throw new Error("I am the project's own") }
          }`,
      });
      const { stdout } = await elsewhere.run(["in-memory", "--only", "putWrites"]);
      expect(stdout).toContain("I am the project's own");
    } finally {
      elsewhere.remove();
    }
  });

  it("dynamodb is made so that it can list all threads, which it refuses to do unasked", async () => {
    const elsewhere = new Project();
    try {
      elsewhere.install("@langgraph-savers/dynamodb", {
        "index.mjs": `import { MemorySaver } from "@langchain/langgraph-checkpoint";
          export class DynamoDBSaver extends MemorySaver {
            constructor(options) { super(); this.scan = options.scan; }
            async *list(config, options) {
              if (!config.configurable?.thread_id && !this.scan) throw new Error("that needs scan: true");
              yield* super.list(config, options);
            }
            async close() {}
          }`,
      });
      elsewhere.install("@aws-sdk/client-dynamodb", {
        "index.mjs": `export class DynamoDBClient { async send() {} destroy() {} }
          export class DeleteTableCommand {}`,
      });
      const env = { DYNAMODB_ENDPOINT: "http://localhost:1" };
      const { code, stdout } = await elsewhere.run(["dynamodb", "--only", "lifecycle"], env);
      expect(stdout).not.toContain("that needs scan: true");
      expect(code).toBe(0);
    } finally {
      elsewhere.remove();
    }
  });

  it("that is broken says so, and not that it is missing", async () => {
    const elsewhere = new Project();
    try {
      elsewhere.install("@langgraph-savers/file", { "index.mjs": 'throw new Error("wrong Node");' });
      const { code, stderr } = await elsewhere.run(["file", ...quick]);
      expect(code).toBe(2);
      expect(stderr).toContain("@langgraph-savers/file is installed, and does not load: wrong Node");
    } finally {
      elsewhere.remove();
    }
  });
});
