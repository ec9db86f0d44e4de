import { createCipheriv, createHash } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { isSaverError } from "@langgraph-savers/core";
import { checkpoint as checkpointAt, config as configOf } from "@langgraph-savers/test/checkpoints";
import { afterEach, beforeEach, expect } from "vitest";

import { FileSaver, type FileSaverOptions } from "../src/index.js";
import { encodeFrame, type Fate, type FrameContent } from "../src/log/frame.js";
import { temporaryFolder } from "./subject.js";

export { configOf };

/** A folder for each test, and the savers that it opens; all of it is gone after the test. */
export interface Bench {
  /** Not there yet: the root of the savers, inside a folder of its own. */
  readonly root: string;
  /** What is around the root. */
  readonly around: string;
  open(options?: FileSaverOptions, root?: string): FileSaver;
}

export function useBench(): Bench {
  const savers: FileSaver[] = [];
  let around = "";
  beforeEach(() => {
    around = temporaryFolder();
  });
  afterEach(async () => {
    for (const saver of savers.splice(0)) await saver.close();
    rmSync(around, { recursive: true, force: true });
  });
  const bench: Bench = {
    get root() {
      return join(around, "root");
    },
    get around() {
      return around;
    },
    open(options = {}, root = bench.root) {
      const saver = new FileSaver(root, options);
      savers.push(saver);
      return saver;
    },
  };
  return bench;
}

/** Ids that ascend with their number. */
export function idOf(number: number): string {
  return `1f000000-0000-6000-8000-${String(number).padStart(12, "0")}`;
}

interface PutOptions {
  parent?: string;
  namespace?: string;
  step?: number;
  /** Channels that keep the parent's value; the others change. */
  carried?: string[];
}

/** Puts a checkpoint in which every channel has version 1. */
export async function put(
  saver: FileSaver,
  thread: string,
  id: string,
  values: Record<string, unknown>,
  { parent, namespace, step = 0, carried = [] }: PutOptions = {},
): Promise<void> {
  const checkpoint = checkpointAt(id, values);
  const changed = Object.entries(checkpoint.channel_versions).filter(
    ([channel]) => !carried.includes(channel),
  );
  const metadata = { source: "loop", step, parents: {} } as const;
  await saver.put(configOf(thread, parent, namespace), checkpoint, metadata, Object.fromEntries(changed));
}

/** The tuple of a checkpoint that must be there. */
export async function tupleAt(
  saver: FileSaver,
  thread: string,
  id?: string,
  namespace = "",
): Promise<CheckpointTuple> {
  const tuple = await saver.getTuple(configOf(thread, id, namespace));
  expect(tuple, `checkpoint ${id ?? "(latest)"} of ${thread.slice(0, 40)}`).toBeDefined();
  return tuple!;
}

export async function valuesAt(
  saver: FileSaver,
  thread: string,
  id?: string,
  namespace = "",
): Promise<Record<string, unknown>> {
  return (await tupleAt(saver, thread, id, namespace)).checkpoint.channel_values;
}

/** The code of the error that a call must be refused with. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  const outcome = await call.then(
    () => ({ refused: false, error: undefined }),
    (error: unknown) => ({ refused: true, error }),
  );
  expect(outcome.refused, "the call is refused").toBe(true);
  if (!isSaverError(outcome.error)) throw outcome.error;
  return outcome.error.code;
}

/** Every file below a folder, by its path from there. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

/** The logs below a root, as full paths. */
export function logsIn(root: string): string[] {
  return filesIn(join(root, "threads")).map((name) => join(root, "threads", name));
}

/** The one log of a root with one thread. */
export function onlyLog(root: string): string {
  const logs = logsIn(root);
  expect(logs).toHaveLength(1);
  return logs[0]!;
}

/** What a tool that reads by line sees. */
export function linesOf(log: string): Record<string, unknown>[] {
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

let appended = 0;

/** A frame as another process appends it, which is killed before it could sync. */
export function append(log: string, content: FrameContent, bodies: Uint8Array[] = [new Uint8Array()]): void {
  const common = { at: Date.now(), w: `another.${(appended += 1)}`, synced: 0 };
  appendFileSync(log, encodeFrame({ ...content, ...common }, bodies).bytes);
}

/** The seal that a process appends before it copies or removes a log; the process is killed right after. */
export function seal(log: string, why: Fate, before?: number): void {
  append(log, { kind: "seal", why, ...(before === undefined ? {} : { before }) });
}

/** Numbers from 0 up to 1 that are the same in every run. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Text that does not compress away, different for each seed. */
export function noise(length: number, seed: number): string {
  const key = createHash("sha256").update(String(seed)).digest();
  const bytes = createCipheriv("aes-256-ctr", key, Buffer.alloc(16)).update(Buffer.alloc(length));
  return bytes.toString("base64").slice(0, length);
}
