// `pnpm chaos:copy`: copies many threads from the official savers to ours, killed with -9 on the way.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { startMongoServer } from "@langgraph-savers/test/mongodb";
import { startDynamoDB } from "@langgraph-savers/test/servers";

import { json } from "../support/command.js";
import { putThread, runThread, tuplesOf } from "../support/histories.js";
import { killCopy } from "../support/kill-copy.js";
import { opened, storeUrl, type Kind } from "../support/urls.js";
import { chaosOptions } from "./options.js";

/** One in so many threads is a run of a graph, with a subgraph, a question and a fork; the others are put by hand. */
const GRAPH_EVERY = 5;

const options = chaosOptions(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), "savers-copy-"));
const [mongodb, dynamodb] = await Promise.all([startMongoServer(), startDynamoDB()]);
const servers = { mongodb: mongodb.uri, dynamodb: dynamodb.endpoint };
const ids = Array.from({ length: options.threads }, (_, at) => `thread-${String(at).padStart(5, "0")}`);
let failures = 0;

try {
  for (const sourceKind of options.sources) {
    const source = storeUrl(sourceKind, folder, servers);
    const filling = performance.now();
    await opened(source, (_, saver) => fill(saver));
    console.log(`${sourceKind}: ${options.threads} threads made in ${seconds(filling)} s`);
    for (const targetKind of options.targets) await copyKilled(sourceKind, source, targetKind);
  }
} finally {
  await Promise.all([mongodb.stop(), dynamodb.stop()]);
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

async function fill(saver: BaseCheckpointSaver): Promise<void> {
  for (const [at, id] of ids.entries())
    await (at % GRAPH_EVERY === 0 ? runThread(saver, id) : putThread(saver, id));
}

async function copyKilled(sourceKind: Kind, source: string, targetKind: Kind): Promise<void> {
  const target = storeUrl(targetKind, folder, servers);
  const journal = join(folder, `${sourceKind}-${targetKind}.jsonl`);
  const start = performance.now();
  const stops: number[] = [];
  for (let kill = 0; kill < options.kills; kill++)
    stops.push(await killCopy(source, target, journal, Math.floor(ids.length / (options.kills + 1))));
  const report = await json<{ copied: number; resumed: number; same: number; problems: unknown[] }>([
    "copy",
    source,
    target,
    "--journal",
    journal,
  ]);
  const copying = seconds(start);
  const compared = await compare(source, target);
  const { intact, problems } = await json<{ intact: number; problems: unknown[] }>(["verify", target]);
  const isRight =
    report.problems.length + compared.different.length + problems.length === 0 &&
    report.copied + report.resumed + report.same === ids.length &&
    intact === compared.tuples;
  if (!isRight) failures += 1;
  console.log(
    `  ${isRight ? "✓" : "✗"} to ${targetKind}: killed at ${stops.join(", ")}, done in ${copying} s; ` +
      `${compared.tuples} tuples compared, ${compared.different.length} different; verify: ${intact} intact, ${problems.length} damaged`,
  );
  for (const each of [...report.problems, ...compared.different, ...problems].slice(0, 10))
    console.log("   ", each);
}

async function compare(source: string, target: string): Promise<{ tuples: number; different: string[] }> {
  const different: string[] = [];
  let tuples = 0;
  await opened(
    source,
    (_, from) =>
      opened(target, async (__, to) => {
        for (const id of ids) {
          const [wanted, found] = await Promise.all([tuplesOf(from, id), tuplesOf(to, id)]);
          tuples += found.length;
          if (!isDeepStrictEqual(wanted, found)) different.push(id);
        }
      }),
    "read",
  );
  return { tuples, different };
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
