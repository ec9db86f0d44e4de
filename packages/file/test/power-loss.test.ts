import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { vi } from "vitest";

import type * as Files from "../src/disk/files.js";
import { FileSaver, type Durability } from "../src/index.js";
import { randomFrom } from "./chaos/history.mjs";
import { crashAfter } from "./power-loss/disk-model.js";
import { goOn, impostorsOf, problemsOf, survey } from "./power-loss/survey.js";
import { workload, type Ack } from "./power-loss/workload.js";

vi.mock("../src/disk/files.js", async (original) => {
  const recorder = await import("./power-loss/recorder.js");
  return recorder.recorded(await original<typeof Files>());
});

const CASES = 1000;
const RUNS: Durability[] = ["sync", "sync", "group", "group", "none"];
/** Of so many cases, in one the work goes on after the loss. */
const GOING_ON = 4;
/** In memory where there is such a folder: the disk is a model here, and a real one would only be slower. */
const root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "langgraph-savers-power-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What a saver finds on the disk after the loss; an error means that something cannot be read. */
async function problemsAfter(
  files: Map<string, Buffer>,
  acks: Ack[],
  from: string,
  durable: boolean,
  goingOn: boolean,
): Promise<string[]> {
  const to = mkdtempSync(join(root, "case-"));
  for (const [path, content] of files) {
    const copy = path.replace(from, to);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, content);
  }
  const saver = new FileSaver(to);
  try {
    const found = await survey(saver);
    await saver.close();
    const problems = [...impostorsOf(found), ...(durable ? problemsOf(found, acks) : [])];
    return goingOn ? [...problems, ...(await goOn(to, found))] : problems;
  } catch (error) {
    return [`${String(error)} ${String((error as Error).cause)}`];
  } finally {
    await saver.close();
    rmSync(to, { recursive: true, force: true });
  }
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
          const durable = durability !== "none";
          const problems = await problemsAfter(files, acks as Ack[], folder, durable, nth % GOING_ON === 0);
          expect(
            problems,
            `${durability}, run ${at}, case ${nth}, after ${count} of ${told.length} events`,
          ).toEqual([]);
        }
      }
    },
  );
});
