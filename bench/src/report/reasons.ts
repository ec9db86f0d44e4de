import type { Comparison } from "../suite/compare.js";
import type { MeasureId } from "../suite/measures.js";
import type { SubjectId } from "../subjects/registry.js";

interface Reason {
  ours: SubjectId[];
  /** Default: any. */
  peers?: SubjectId[];
  workloads: RegExp;
  measures: MeasureId[];
  why: string;
}

const FILES: SubjectId[] = ["file-sync", "file-group", "file-none"];
const TIMES: MeasureId[] = ["time", "p95", "cpu", "delay", "last10"];
const COLD: MeasureId[] = ["getCold", "listCold", "past", "ownState", "processState", "processTurn"];
const ALL = /^/;
const PUTS = /^puts-/;
const NEW_THREADS = /^(threads|interrupt|fan-out)$/;

/** Where ours is not ahead, and why; what was found by profiles is in NOTES.md. The first that fits counts. */
const REASONS: Reason[] = [
  {
    ours: FILES,
    peers: ["memory-official"],
    workloads: ALL,
    measures: [...TIMES, "getWarm", "list50"],
    why:
      "MemorySaver keeps everything in the process and syncs nothing. States as small as these cost it little to " +
      "serialise; from some fifty turns of a chat on, that costs more than the disk.",
  },
  {
    ours: ["file-group"],
    workloads: ALL,
    measures: ["stored", "written", "firstTurn"],
    why: "The journal: 8 MB for each process that writes, and every commit in it and in its log.",
  },
  {
    ours: FILES,
    workloads: PUTS,
    measures: ["stored", "written"],
    why: "A value that is new as a whole is not compressed, and the lines of a log hold it as base64: a third more.",
  },
  {
    ours: FILES,
    workloads: PUTS,
    measures: TIMES,
    why:
      "Every value is new as a whole and never read again: JavaScript serialises, cuts, hashes and encodes it, where " +
      "SQLite has it copied by C. That is what makes a state cheap that grows or is read, as in the chats.",
  },
  {
    ours: FILES,
    workloads: NEW_THREADS,
    measures: [...TIMES, "stored"],
    why:
      "Every run is a new thread, which is a file of its own: it is made, named and synced before its first checkpoint. " +
      "Its lines carry names, checksums and hashes that a row of a table has no need of.",
  },
  {
    ours: FILES,
    workloads: ALL,
    measures: [...COLD, "overEmpty", "opening"],
    why: "A new saver reads and checks the whole log of a thread, once; SQLite finds one row by its index.",
  },
  {
    ours: FILES,
    workloads: ALL,
    measures: [...TIMES, "firstTurn", "getWarm", "list50"],
    why: "Each channel's value is stored, checked and loaded by itself; the peer has one text for all of them.",
  },
  {
    ours: ["file-sync"],
    workloads: /^footprint$/,
    measures: ["import"],
    why: "The serializer loads LangChain's message classes, which a graph with messages needs anyway.",
  },
  {
    ours: ["mongodb"],
    workloads: PUTS,
    measures: [...TIMES, "written"],
    why:
      "Every value is new as a whole and never read again: it is cut, hashed and stored as documents of their own, where " +
      "the peer sends one. Each command also carries a check, so that a deletion or a repeated call is safe.",
  },
  {
    ours: ["mongodb"],
    workloads: ALL,
    measures: COLD,
    why: "What was never read comes as documents of its own, by a second request; the peer has all in one document.",
  },
  {
    ours: ["mongodb"],
    workloads: ALL,
    measures: [...TIMES, "written", "firstTurn", "getWarm"],
    why:
      "States are small, and what is stored once is stored in pieces. Each command carries a check of the thread and updates " +
      "by a pipeline, so that a deletion, a fork or a repeated call is safe: more for the server to do than an upsert.",
  },
  {
    ours: ["dynamodb"],
    workloads: ALL,
    measures: ["delay"],
    why: "All values are serialised, cut and compressed before the first of few requests; the peer's work is spread over many.",
  },
  {
    ours: ["mongodb", "dynamodb"],
    workloads: /^footprint$/,
    measures: ["bundle", "bundleOwn", "import", "install"],
    why: "More code of its own: the serializer, chunks, encryption, expiry and the management of threads.",
  },
  {
    ours: ["memory"],
    workloads: ALL,
    measures: [...TIMES, ...COLD, "firstTurn", "getWarm", "list50"],
    why:
      "Every value is serialised, cut, hashed and checked as on a disk, where MemorySaver keeps one text. That is cheaper for " +
      "states that are small or new as a whole, and dearer for all that grow.",
  },
];

export function reasonFor({ ours, peer, workload, measure }: Comparison): string {
  const found = REASONS.find(
    (each) =>
      each.ours.includes(ours) &&
      (each.peers?.includes(peer) ?? true) &&
      each.measures.includes(measure) &&
      each.workloads.test(workload),
  );
  return found?.why ?? "Not explained yet.";
}
