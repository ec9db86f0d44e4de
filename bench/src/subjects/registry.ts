import type { MeasureId } from "../suite/measures.js";
import type { Open } from "./subject.js";

/** What is measured together: each subject beside its peers, on the same disk or server, step by step in turns. */
export type Group = "file" | "mongodb" | "dynamodb";
/** What `--only` takes. */
export type Backend = Group | "memory";

export const BACKENDS: readonly Backend[] = ["file", "mongodb", "dynamodb", "memory"];

export interface Subject {
  id: SubjectId;
  label: string;
  ours: boolean;
  backend: Backend;
  group: Group;
  /** The package of the subject is only loaded here: a process that measures one loads no other. */
  open: Open;
}

export type SubjectId =
  | "file-sync"
  | "file-group"
  | "file-none"
  | "sqlite-full"
  | "sqlite"
  | "memory"
  | "memory-official"
  | "mongodb"
  | "mongodb-official"
  | "dynamodb"
  | "dynamodb-dlcaio";

const file = (durability: "sync" | "group" | "none"): Open => {
  return async (place) => (await import("./file.js")).openFile(place, durability);
};
const sqlite = (full: boolean): Open => {
  return async (place) => (await import("./sqlite.js")).openSqlite(place, full);
};

export const SUBJECTS: readonly Subject[] = [
  subject("file-sync", "FileSaver", true, "file", file("sync")),
  subject("file-group", "FileSaver, group", true, "file", file("group")),
  subject("file-none", "FileSaver, none", true, "file", file("none")),
  subject("sqlite-full", "official SQLite, FULL", false, "file", sqlite(true)),
  subject("sqlite", "official SQLite", false, "file", sqlite(false)),
  subject("memory", "InMemorySaver", true, "memory", async () => (await import("./memory.js")).openOurs()),
  subject("memory-official", "MemorySaver", false, "memory", async () =>
    (await import("./memory.js")).openOfficial(),
  ),
  subject("mongodb", "MongoDBSaver", true, "mongodb", async (place) =>
    (await import("./mongodb.js")).openOurs(place),
  ),
  subject("mongodb-official", "official MongoDB", false, "mongodb", async (place) =>
    (await import("./mongodb.js")).openOfficial(place),
  ),
  subject("dynamodb", "DynamoDBSaver", true, "dynamodb", async (place) =>
    (await import("./dynamodb.js")).openOurs(place),
  ),
  subject("dynamodb-dlcaio", "@dlcaio DynamoDB", false, "dynamodb", async (place) =>
    (await import("./dynamodb.js")).openDlcaio(place),
  ),
];

export interface Pair {
  ours: SubjectId;
  peer: SubjectId;
  /** Only these are compared; all, unless told. */
  measures?: readonly MeasureId[];
}

/** Which is compared with which: both survive the same crash, or ours the worse one. */
export const PAIRS: readonly Pair[] = [
  { ours: "file-sync", peer: "sqlite-full" },
  { ours: "file-group", peer: "sqlite-full" },
  { ours: "file-none", peer: "sqlite" },
  {
    ours: "file-sync",
    peer: "memory-official",
    measures: ["time", "p95", "last10", "cpu", "getWarm", "list50"],
  },
  { ours: "mongodb", peer: "mongodb-official" },
  { ours: "dynamodb", peer: "dynamodb-dlcaio" },
  { ours: "memory", peer: "memory-official" },
];

export function subjectOf(id: SubjectId): Subject {
  return SUBJECTS.find((each) => each.id === id)!;
}

function subject(id: SubjectId, label: string, ours: boolean, backend: Backend, open: Open): Subject {
  return { id, label, ours, backend, group: backend === "memory" ? "file" : backend, open };
}
