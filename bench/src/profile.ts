// `pnpm --filter @langgraph-savers/bench run profile [backend …]`: where the time of put, getTuple and list goes.
// What it prints is what NOTES.md is written from.
import { mkdtempSync, rmSync } from "node:fs";
import { Session, type Profiler } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startMongoServer } from "@langgraph-savers/test/mongodb";
import { startDynamoDB } from "@langgraph-savers/test/servers";

import { subjectOf, type SubjectId } from "./subjects/registry.js";
import type { Opened } from "./subjects/subject.js";
import { CHAT_CONFIG, chat } from "./workloads/chat.js";
import { putOne } from "./workloads/puts.js";
import { noise } from "./workloads/text.js";

const SUBJECTS: SubjectId[] = [
  "memory",
  "file-sync",
  "file-group",
  "mongodb",
  "mongodb-official",
  "dynamodb",
];
const CHAT_TURNS = 100;
const SAMPLE_US = 200;
const TOP = 8;

process.removeAllListeners("warning");
const wanted = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "langgraph-savers-profile-"));
const chosen = SUBJECTS.filter((id) => wanted.length === 0 || wanted.some((name) => id.startsWith(name)));
const needs = (name: string) => chosen.some((id) => id.startsWith(name));
const mongodb = needs("mongodb") ? await startMongoServer() : undefined;
const dynamodb = needs("dynamodb") ? await startDynamoDB() : undefined;
try {
  for (const id of chosen) {
    const place = {
      folder,
      name: `profile-${id}-${process.pid}`,
      mongodbUri: mongodb?.uri ?? "",
      dynamodbEndpoint: dynamodb?.endpoint ?? "",
    };
    const opened = await subjectOf(id).open(place);
    await profileOf(id, opened);
    await opened.close();
  }
} finally {
  await mongodb?.stop();
  await dynamodb?.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function profileOf(id: SubjectId, opened: Opened): Promise<void> {
  const slow = id.startsWith("dynamodb") ? 0.25 : 1;
  const { turn } = chat(opened.saver, 1000);
  let turns = 0;
  for (; turns < CHAT_TURNS * slow; turns++) await turn(turns + 1);
  const puts = async (kilobytes: number, count: number) => {
    const thread = `puts-${kilobytes}-${count}`;
    const values = Array.from({ length: 50 }, (_, at) => noise(kilobytes * 1000, at));
    let parent: string | undefined;
    for (let at = 1; at <= count; at++)
      parent = await putOne(opened.saver, thread, parent, at, `${values[at % 50]} ${at}`);
  };
  await puts(2, 100 * slow);
  await profiled(`${id}: put of 2 KB`, 1000 * slow, (count) => puts(2, count));
  await profiled(`${id}: put of 20 KB`, 400 * slow, (count) => puts(20, count));
  await profiled(`${id}: turn of a chat, from turn ${turns}`, 100 * slow, async (count) => {
    for (let at = 0; at < count; at++) await turn((turns += 1));
  });
  await profiled(`${id}: getTuple, warm`, 300 * slow, async (count) => {
    for (let at = 0; at < count; at++) await opened.saver.getTuple(CHAT_CONFIG);
  });
  await profiled(`${id}: getTuple, cold saver`, 100 * slow, async (count) => {
    for (let at = 0; at < count; at++) {
      const { saver, close } = await opened.cold();
      await saver.getTuple(CHAT_CONFIG);
      await close();
    }
  });
  await profiled(`${id}: list(50)`, 10, async (count) => {
    for (let at = 0; at < count; at++) for await (const _ of opened.saver.list(CHAT_CONFIG, { limit: 50 }));
  });
}

async function profiled(title: string, count: number, work: (count: number) => Promise<void>): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: SAMPLE_US });
  await session.post("Profiler.start");
  const start = performance.now();
  await work(count);
  const time = performance.now() - start;
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  print(`${title} (${(time / count).toFixed(2)} ms each)`, profile);
}

/** Self times, by kind and by function: who is on top of the stack when the clock ticks. */
function print(title: string, { nodes, samples = [], timeDeltas = [] }: Profiler.Profile): void {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const kinds = new Map<string, number>();
  const functions = new Map<string, number>();
  let total = 0;
  samples.forEach((id, at) => {
    const { functionName, url } = byId.get(id)!.callFrame;
    const kind = kindOf(functionName, url);
    const delta = timeDeltas[at] ?? 0;
    total += delta;
    add(kinds, kind, delta);
    if (!functionName.startsWith("(")) add(functions, `${functionName || "anonymous"} [${kind}]`, delta);
  });
  const share = ([name, time]: [string, number]) => `${((time / total) * 100).toFixed(0)}% ${name}`;
  const sorted = (map: Map<string, number>) => [...map].toSorted(([, a], [, b]) => b - a);
  console.log(`\n${title}`);
  console.log(`  ${sorted(kinds).slice(0, TOP).map(share).join(", ")}`);
  console.log(`  top: ${sorted(functions).slice(0, TOP).map(share).join(", ")}`);
}

function add(map: Map<string, number>, key: string, amount: number): void {
  map.set(key, (map.get(key) ?? 0) + amount);
}

function kindOf(name: string, url: string): string {
  if (name === "(idle)") return "waiting";
  if (name === "(garbage collector)") return "garbage collection";
  if (url === "" || name === "(program)") return "native code";
  if (url.startsWith("node:")) return url.replace(/^node:(internal\/)?/, "node ").split("/")[0]!;
  const [, own] = /packages\/(\w+)\/(?:dist|src)/.exec(url) ?? [];
  if (own !== undefined) return `our ${own}`;
  const [, parts] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (parts === undefined) return "bench";
  return /^@(aws-sdk|smithy)|^(bson|mongodb)$/.test(parts) ? "driver" : parts;
}
