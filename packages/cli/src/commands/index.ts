import type { CommandSpec } from "../command/spec.js";

interface Listed {
  summary: string;
  /** Loaded when it is called: most of them need LangGraph, and `--help` does not. */
  load(): Promise<CommandSpec>;
}

function listed(summary: string, load: () => Promise<CommandSpec>): Listed {
  return { summary, load };
}

/** In the order of `--help`: looking, moving, keeping in order. */
export const commands = {
  threads: listed("Lists the threads of a store", async () => (await import("./threads.js")).threads),
  show: listed("Shows a checkpoint: state, next tasks, writes", async () => (await import("./show.js")).show),
  history: listed(
    "Draws the checkpoints of a thread as a tree",
    async () => (await import("./history.js")).history,
  ),
  diff: listed("Compares the state of two checkpoints", async () => (await import("./diff.js")).diffCommand),
  copy: listed("Copies threads to another store, and compares", async () => (await import("./copy.js")).copy),
  export: listed(
    "Writes threads to a file of JSON lines",
    async () => (await import("./export.js")).exportCommand,
  ),
  import: listed("Reads threads from such a file", async () => (await import("./import.js")).importCommand),
  prune: listed("Deletes old checkpoints", async () => (await import("./prune.js")).prune),
  stats: listed(
    "Counts what is stored, and what sharing saved",
    async () => (await import("./stats.js")).stats,
  ),
  verify: listed(
    "Reads everything, and reports what is damaged",
    async () => (await import("./verify.js")).verify,
  ),
  repair: listed(
    "Makes damaged threads of a file store usable",
    async () => (await import("./repair.js")).repair,
  ),
  doctor: listed("Checks a store and its surroundings", async () => (await import("./doctor.js")).doctor),
  conformance: listed(
    "Judges a saver by the conformance kit",
    async () => (await import("./conformance.js")).conformance,
  ),
};
