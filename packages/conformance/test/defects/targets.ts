import { MemorySaver } from "@langchain/langgraph-checkpoint";

import { SnapshotSaver } from "../savers/architectures.js";
import { Storage } from "../savers/storage.js";
import { create } from "../savers/target.js";
import type { Defect } from "./defect.js";

const shared = new Storage();

/** Mistakes of a target, not of its saver. */
export const targetDefects: Defect[] = [
  {
    name: "creates every saver on the same storage",
    story: "One database for all tests.",
    caughtBy: "lifecycle.created-savers-are-isolated",
    create: () => ({ saver: new SnapshotSaver(shared) }),
  },
  {
    name: "cleans up what others use",
    story: "cleanup drops the whole database.",
    caughtBy: "lifecycle.released-savers-leave-others-alone",
    create: () => {
      const created = create(SnapshotSaver);
      const { storage } = created.saver as SnapshotSaver;
      all.add(storage);
      return {
        ...created,
        cleanup: () => {
          for (const each of all) each.checkpoints.clear();
          all.delete(storage);
        },
      };
    },
  },
  {
    name: "loses the types of what it reopens",
    story: "reopen copies the data into a saver of another kind.",
    caughtBy: "reopen.put-is-seen",
    create: () => ({ ...create(SnapshotSaver), reopen: () => new MemorySaver() }),
  },
];

const all = new Set<Storage>();
