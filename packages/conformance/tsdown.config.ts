import { defineConfig } from "tsdown";

export default defineConfig([
  {
    entry: {
      index: "src/index.ts",
      vitest: "src/entries/vitest.ts",
      "node-test": "src/entries/node-test.ts",
      bdd: "src/entries/bdd.ts",
    },
    format: ["esm", "cjs"],
    platform: "node",
    target: "node20.19",
    dts: true,
    fixedExtension: true,
  },
  {
    entry: {
      cli: "src/cli/main.ts",
      judge: "src/cli/judge/process.ts",
      "project-hook": "src/cli/judge/project-hook.ts",
    },
    format: ["esm"],
    platform: "node",
    target: "node20.19",
    fixedExtension: true,
    dts: false,
    clean: false,
  },
]);
