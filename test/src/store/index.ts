import { describe } from "vitest";

import type { SaverUnderTest } from "../saver-under-test.js";
import { collectionCases } from "./collection.js";
import { concurrencyCases } from "./concurrency.js";
import { deletionCases } from "./deletion.js";
import { fencingCases } from "./fencing.js";
import { generationCases } from "./generations.js";
import { indexChunkCases } from "./index-chunks.js";
import { registerCases } from "./registers.js";
import { rememberingCases } from "./remembering.js";
import { runCases } from "./runs.js";
import { threadCases } from "./threads.js";
import { storeWorld, type StoreWorld } from "./world.js";
import { writesCases } from "./writes.js";

const sections: Record<string, (world: StoreWorld) => void> = {
  "getThread and listThreads": threadCases,
  listRuns: runCases,
  deleteCheckpoints: deletionCases,
  "writes without a checkpoint": writesCases,
  collectChunks: collectionCases,
  "index chunks": indexChunkCases,
  "what was replaced or deleted is remembered": rememberingCases,
  registers: registerCases,
  "commits under registers": fencingCases,
  generations: generationCases,
  "at the same time": concurrencyCases,
};

/** The rules of the store port that savers rely on unseen: those of the store under this saver, called directly. */
export function storeSuite(subject: SaverUnderTest): void {
  describe(`store: ${subject.name}`, () => {
    const world = storeWorld(subject);
    for (const [title, cases] of Object.entries(sections)) {
      describe(title, () => {
        cases(world);
      });
    }
  });
}
