import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globals: true,
    include: ["test/**/*.test.ts"],
    // A file waits for its server most of the time, and no two share a database: two at once take little more than one.
    maxWorkers: 2,
    // What a file loads (LangGraph, the SDK) takes longer than most files' tests; none of them changes it.
    isolate: false,
    // Requests and their answers are garbage by the hundred thousand: larger spaces for the young, fewer collections.
    execArgv: ["--max-semi-space-size=64"],
    globalSetup: ["test/support/global-setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
