import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

import { emptyFolder } from "./run-example.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

it("a copy asks npm for nothing that it cannot have, and says how to run it there", () => {
  const folder = emptyFolder();
  const copy = spawnSync("npm", ["run", "--silent", "example", "chat-with-memory", folder], {
    cwd: ROOT,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  expect(copy.status, copy.stdout).toBe(0);
  expect(copy.stdout).toContain(`cd ${folder}\n  npm install\n  npm start`);

  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Record<"dependencies" | "devDependencies", Record<string, string>>;
  const wanted = Object.entries({ ...dependencies, ...devDependencies });
  expect(wanted.map(([name]) => name)).toContain("@langgraph-savers/file");
  const cannotHave = wanted.filter(([, version]) =>
    version.startsWith("file:")
      ? !existsSync(join(folder, version.slice("file:".length)))
      : !/^\^?\d+\.\d+\.\d+$/.test(version),
  );
  expect(cannotHave).toEqual([]);
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  expect(readme).toContain('npm start "I am Ada."');
  expect(readme).not.toMatch(/npm run|\]\(\.\./);
});
