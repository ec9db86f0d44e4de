// Writes the kit's MATRIX.md: the official savers and ours under the whole catalogue. It is made here, because this is
// the one package that has them all: the kit itself depends on no saver and no driver.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { startServers, type Servers } from "../suite/servers.js";
import { sqliteMissing } from "../subjects/sqlite.js";
import { introduction } from "./introduction.js";
import { timeless } from "./timeless.js";

const bench = fileURLToPath(new URL("../../", import.meta.url));
const kit = dirname(createRequire(import.meta.url).resolve("@langgraph-savers/conformance/package.json"));

const targets = ["memory", "official-sqlite", "official-mongodb", "in-memory", "file", "mongodb", "dynamodb"];

const missing: string[] = [];
const servers = await startServers(["mongodb", "dynamodb"], missing);
try {
  const sqlite = sqliteMissing(console.log);
  if (sqlite !== undefined) missing.push(`official-sqlite: ${sqlite}.`);
  // Said before the minutes that a run takes, and not by a column that is not there.
  if (missing.length > 0)
    throw new Error(`MATRIX.md stays as it is, for it would lack columns. ${missing.join(" ")}`);
  const body = await report(servers);
  writeFileSync(join(kit, "MATRIX.md"), `${introduction()}\n\n${timeless(body)}`);
} finally {
  await servers.stop();
}

/** The command, as a user would run it in a project that has these packages. */
async function report({ mongodbUri, dynamodbEndpoint }: Servers): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "matrix-"));
  try {
    const file = join(folder, "report.md");
    const reporters = [
      "--reporter",
      `markdown=${file}`,
      "--reporter",
      `html=${join(bench, "out", "matrix.html")}`,
    ];
    const args = [join(kit, "dist", "cli.mjs"), ...targets, "--timeout-scale", "5", ...reporters];
    const env = { ...process.env, MONGODB_URI: mongodbUri, DYNAMODB_ENDPOINT: dynamodbEndpoint };
    const child = spawn(process.execPath, args, { cwd: bench, env, stdio: "inherit" });
    const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
    // 1 says that one of them does not conform, which is what is to be written down.
    if (code !== 0 && code !== 1) throw new Error(`The command ended with ${String(code)}.`);
    return readFileSync(file, "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
