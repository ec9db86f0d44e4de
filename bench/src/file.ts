import { join } from "node:path";

import { MemorySaver, uuid6, type BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { FileSaver, type Durability } from "@langgraph-savers/file";

import { chat } from "./chat.js";
import { bytesIn, inFolder } from "./folder.js";
import { median, sideBySide } from "./measure.js";
import { bytes, report, type Line } from "./report.js";
import { loadSqlite, type Sqlite } from "./sqlite.js";

const TURNS = 300;

/** The file saver beside the official SQLite saver, on one disk, in one process, in turns. */
export async function file(): Promise<boolean> {
  const opening = await inFolder(openLarge);
  const sqlite = await loadSqlite();
  if (typeof sqlite === "string") {
    console.log(`\nLeft out: the comparison with the official SQLite saver, because ${sqlite}.`);
    return opening;
  }
  const puts = await inFolder((folder) => durablePuts(sqlite, folder));
  const chats = await inFolder((folder) => longChat(sqlite, folder));
  return [opening, puts, chats].every(Boolean);
}

async function durablePuts(sqlite: Sqlite, folder: string): Promise<boolean> {
  const lines: Line[] = [];
  for (const size of [2, 20]) {
    for (const threads of [1, 32]) {
      const where = (name: string) => join(folder, `${name}-${size}-${threads}`);
      const full = sqlite.open(where("full.db"), true);
      const byDefault = sqlite.open(where("default.db"), false);
      const files = (durability: Durability) => new FileSaver(where(durability), { durability });
      const savers = { sync: files("sync"), group: files("group"), none: files("none") };
      const subject = (saver: BaseCheckpointSaver) => putter(saver, threads, size * 1000);
      const times = await sideBySide(
        {
          sync: subject(savers.sync),
          group: subject(savers.group),
          none: subject(savers.none),
          full: subject(full.saver),
          byDefault: subject(byDefault.saver),
        },
        threads === 1 ? 200 : 40,
      );
      const best = Math.min(times.sync, times.group);
      const shown = Object.entries(times).map(([name, time]) => `${name} ${time.toFixed(2)}`);
      const detail = `ms a round: ${shown.join(", ")}`;
      const what = `${size} KB, ${threads} thread${threads > 1 ? "s" : ""}`;
      lines.push(
        { name: `${what}: durable vs SQLite FULL`, detail, ratio: times.full / best, atLeast: 1 },
        {
          name: `${what}: none vs SQLite's default`,
          detail: "",
          ratio: times.byDefault / times.none,
          atLeast: 1,
        },
      );
      for (const saver of Object.values(savers)) await saver.close();
      full.close();
      byDefault.close();
    }
  }
  return report("Puts (one per thread and round; medians, interleaved)", lines);
}

/** Puts one checkpoint in each of so many threads at once, each with a value of its own. */
function putter(saver: BaseCheckpointSaver, threads: number, size: number): () => Promise<void> {
  let round = 0;
  const parents = new Map<string, string>();
  return async () => {
    round += 1;
    await Promise.all(
      Array.from({ length: threads }, async (_, at) => {
        const thread = `thread-${at}`;
        const id = uuid6(round % 16_384);
        await putOne(saver, thread, parents.get(thread), id, round, noise(size, round * 1000 + at));
        parents.set(thread, id);
      }),
    );
  };
}

async function putOne(
  saver: BaseCheckpointSaver,
  thread: string,
  parent: string | undefined,
  id: string,
  step: number,
  value: string,
): Promise<void> {
  const configurable = { thread_id: thread, checkpoint_ns: "", checkpoint_id: parent };
  const versions = { value: step };
  const checkpoint = {
    v: 4,
    id,
    ts: "2026-01-01T00:00:00.000Z",
    channel_values: { value },
    channel_versions: versions,
    versions_seen: {},
  };
  await saver.put({ configurable }, checkpoint, { source: "loop", step, parents: {} }, versions);
}

function noise(length: number, seed: number): string {
  let state = seed * 2_654_435_761;
  let text = "";
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += state.toString(36);
  }
  return text.slice(0, length);
}

async function openLarge(folder: string): Promise<boolean> {
  const large = new FileSaver(join(folder, "large"), { durability: "none" });
  for (let thread = 0; thread < 1000; thread++) {
    await fill(large, `thread-${thread}`, 10);
  }
  await large.close();
  const open = async (name: string) => {
    const saver = new FileSaver(join(folder, name));
    await saver.getTuple({ configurable: { thread_id: "thread-500" } });
    await saver.close();
  };
  const times = await sideBySide({ large: () => open("large"), empty: () => open("empty") }, 30);
  const over = times.large - times.empty;
  return report("Opening a directory and reading one checkpoint (medians, interleaved)", [
    {
      name: "5 ms / time over an empty one",
      detail: `1,000 threads, 10,000 checkpoints: ${times.large.toFixed(2)} ms, empty: ${times.empty.toFixed(2)} ms`,
      ratio: 5 / Math.max(over, 0.01),
      atLeast: 1,
    },
  ]);
}

async function fill(saver: BaseCheckpointSaver, thread: string, checkpoints: number): Promise<void> {
  let parent: string | undefined;
  for (let step = 1; step <= checkpoints; step++) {
    const id = uuid6(step);
    await putOne(saver, thread, parent, id, step, noise(500, step));
    parent = id;
  }
}

async function longChat(sqlite: Sqlite, folder: string): Promise<boolean> {
  const full = sqlite.open(join(folder, "chat.db"), true);
  const files = new FileSaver(join(folder, "chat"));
  const times = { files: [] as number[], sqlite: [] as number[], memory: [] as number[] };
  const chats = {
    files: chat(files),
    sqlite: chat(full.saver),
    memory: chat(new MemorySaver()),
  };
  for (let turn = 1; turn <= TURNS; turn++) {
    for (const name of ["files", "sqlite", "memory"] as const) {
      const start = performance.now();
      await chats[name](turn);
      times[name].push(performance.now() - start);
    }
  }
  await files.close();
  const ours = bytesIn(join(folder, "chat"));
  full.close();
  const theirs = bytesIn(folder) - ours;
  const last = (name: keyof typeof times) => median(times[name].slice(-10));
  return report(`Chat of ${TURNS} turns with 1 KB messages, turn by turn in turns`, [
    {
      name: "bytes vs SQLite",
      detail: `SQLite ${bytes(theirs)}, files ${bytes(ours)}`,
      ratio: theirs / ours,
      atLeast: 60,
    },
    {
      name: "last ten turns vs SQLite FULL",
      detail: `SQLite ${last("sqlite").toFixed(1)} ms, files ${last("files").toFixed(1)} ms a turn`,
      ratio: last("sqlite") / last("files"),
      atLeast: 2,
    },
    {
      name: "last ten turns vs MemorySaver",
      detail: `MemorySaver ${last("memory").toFixed(1)} ms a turn`,
      ratio: last("memory") / last("files"),
      atLeast: 1,
    },
  ]);
}
