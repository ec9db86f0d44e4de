import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { vi } from "vitest";

import type * as Files from "../src/disk/files.js";
import { FileSaver, type Durability } from "../src/index.js";
import { digest, digestOfState, randomFrom, text } from "./chaos/history.mjs";
import { crashAfter, type DiskEvent } from "./power-loss/disk-model.js";
import { events } from "./power-loss/recorder.js";

vi.mock("../src/disk/files.js", async (original) => {
  const recorder = await import("./power-loss/recorder.js");
  return recorder.recorded(await original<typeof Files>());
});

interface Ack {
  thread: string;
  id: string;
  state?: string;
  write?: string;
}

const CASES = 1000;
const RUNS: Durability[] = ["sync", "sync", "sync", "group", "none"];
/** In memory where there is such a folder: the disk is a model here, and a real one would only be slower. */
const root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "langgraph-savers-power-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Some threads written at once, with a compaction in between; what the disk was told meanwhile. */
async function workload(folder: string, durability: Durability, seed: number): Promise<DiskEvent[]> {
  events.length = 0;
  const random = randomFrom(seed);
  const saver = new FileSaver(folder, { durability });
  const run = async (thread: string): Promise<void> => {
    let parent: string | undefined;
    let list: string[] = [];
    const large = text(random, 20_000);
    for (let step = 1; step <= 8; step++) {
      const id = `${thread}-${String(step).padStart(3, "0")}`;
      list = [...list, text(random, 100 + random() * 3000)];
      const values: Record<string, unknown> = { list, large };
      values["self"] = digestOfState(values);
      const checkpoint = {
        v: 4,
        id,
        ts: "",
        channel_values: values,
        channel_versions: { list: step, large: 1, self: step },
        versions_seen: {},
      };
      const config = { configurable: { thread_id: thread, checkpoint_ns: "", checkpoint_id: parent } };
      const write = text(random, 200);
      const own = { configurable: { ...config.configurable, checkpoint_id: id } };
      await Promise.all([
        saver
          .putWrites(own, [["list", write]], "task")
          .then(() => acknowledge({ thread, id, write: digest(write) })),
        saver
          .put(
            config,
            checkpoint,
            { source: "loop", step, parents: {} },
            step === 1 ? { list: 1, large: 1, self: 1 } : { list: step, self: step },
          )
          .then(() => acknowledge({ thread, id, state: digestOfState(values) })),
      ]);
      if (random() < 0.15) await saver.compact(thread);
      parent = id;
    }
  };
  await Promise.all(["a", "b", "c"].map(run));
  const told = [...events];
  await saver.close();
  return told;
}

function acknowledge(ack: Ack): void {
  events.push({ kind: "ack", ack });
}

/** What a saver finds on the disk after the loss; an error means that something cannot be read. */
async function problemsAfter(
  files: Map<string, Buffer>,
  acks: Ack[],
  from: string,
  durable: boolean,
): Promise<string[]> {
  const to = mkdtempSync(join(root, "case-"));
  for (const [path, content] of files) {
    const copy = path.replace(from, to);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, content);
  }
  const saver = new FileSaver(to);
  const problems: string[] = [];
  const states = new Map<string, string>();
  const writes = new Map<string, string>();
  try {
    for await (const tuple of saver.list({})) {
      const values = tuple.checkpoint.channel_values;
      states.set(tuple.checkpoint.id, digestOfState(values));
      for (const [, , value] of tuple.pendingWrites ?? []) writes.set(tuple.checkpoint.id, digest(value));
      if (values["self"] !== digestOfState(values))
        problems.push(`${tuple.checkpoint.id} holds a state that nobody put`);
    }
  } catch (error) {
    problems.push(`${String(error)} ${String((error as Error).cause)}`);
  }
  for (const { id, state, write } of durable ? acks : []) {
    if (state !== undefined && states.get(id) !== state) problems.push(`the put of ${id} is lost`);
    // Writes show with their checkpoint.
    if (write !== undefined && states.has(id) && writes.get(id) !== write)
      problems.push(`the write of ${id} is lost`);
  }
  await saver.close();
  rmSync(to, { recursive: true, force: true });
  return problems;
}

describe("a power loss that drops, zeroes or garbles what was not synced", () => {
  it(
    `leaves what was acknowledged, and nothing wrong or unreadable, in ${CASES} cases`,
    { timeout: 300_000 },
    async () => {
      const random = randomFrom(4711);
      for (const [at, durability] of RUNS.entries()) {
        const folder = join(root, `run-${at}`);
        const told = await workload(folder, durability, 77 + at);
        for (let nth = 0; nth < CASES / RUNS.length; nth++) {
          const count = Math.floor(random() * (told.length + 1));
          const { files, acks } = crashAfter(told, count, random);
          const problems = await problemsAfter(files, acks as Ack[], folder, durability !== "none");
          expect(
            problems,
            `${durability}, run ${at}, case ${nth}, after ${count} of ${told.length} events`,
          ).toEqual([]);
        }
      }
    },
  );
});
