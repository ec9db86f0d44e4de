import { randomBytes } from "node:crypto";

import { GRACE_MS, listedHashes } from "@langgraph-savers/core";

import { writeAll } from "../disk/files.js";
import { encodeFrame, type FrameContent, type Location } from "./frame.js";
import { keptChunks } from "./kept-chunks.js";
import type { ChunkPlace } from "./log-state.js";
import type { ThreadLog } from "./thread-log.js";

/** Chunks are copied in frames of about this size. */
const BATCH_BYTES = 512 * 1024;

/** Copies the bodies at these places of the log. */
type Write = (content: FrameContent, places: readonly Location[], at: number) => Promise<void>;

/** A sealed log's successor: what is live of it, or for a deleted thread a new generation and the registers. */
export async function writeSuccessor(log: ThreadLog, fd: number): Promise<void> {
  const { state, threadId } = log;
  const deleted = state.sealed === "delete";
  // A deleted thread leaves nothing of itself, not even its id, and what it left does not get it by being copied.
  const nameless =
    deleted || (state.threadId === undefined && state.lost.length === 0 && state.hasNoRecords());
  let size = 0;
  const write: Write = async (content, places, at) => {
    // In the first frame and the last.
    const named = !nameless && (content.kind === "start" || content.kind === "copied");
    const meta = { ...content, ...(named ? { thread: threadId } : {}), at, w: "", synced: size };
    const bodies = await log.readBodies(places);
    const { bytes } = encodeFrame(meta, bodies, (body) => state.isDamaged(places[body]!));
    await writeAll(fd, bytes);
    size += bytes.byteLength;
  };
  // A repair gives up chunks that writers may take for stored: in another generation they send them again.
  const generation =
    state.sealed === "compact" && state.generation !== "" ? state.generation : newGeneration();
  await write({ kind: "start", generation }, [], Date.now());
  for (const [name, value] of state.registers) await write({ kind: "register", name, value }, [], Date.now());
  if (!deleted) await copyLive(log, write);
  await write({ kind: "copied" }, [], Date.now());
}

/** Names a generation of a thread; never the same twice. */
export function newGeneration(): string {
  return randomBytes(9).toString("base64url");
}

async function copyLive(log: ThreadLog, write: Write): Promise<void> {
  const { state } = log;
  const { chunks, young } = keptChunks(log, state.sealedBefore ?? Date.now() - GRACE_MS);
  await copyChunks(
    [...chunks].toSorted(([, a], [, b]) => a.at - b.at),
    write,
  );
  for (const { at, refs } of young) await write({ kind: "released", refs }, [], at);
  if (state.lost.length > 0 && state.sealed !== "repair")
    await write({ kind: "lost", regions: state.lost }, [], Date.now());
  const intact = state.sealed === "repair" ? intactOf(log) : () => true;
  for (const [ns, { checkpointId, checkpoint, writes }] of state.records.all()) {
    const id = checkpointId!;
    if (checkpoint !== undefined && intact(checkpoint)) {
      const { parentId: parent, createdAt, labels, chunks: refs, body } = checkpoint;
      const { source, step, runId: run } = labels;
      const content: FrameContent = {
        kind: "put",
        ns,
        id,
        ...(parent === undefined ? {} : { parent }),
        ...(source === undefined ? {} : { source }),
        ...(step === undefined ? {} : { step }),
        ...(run === undefined ? {} : { run }),
        refs,
        chunks: [],
      };
      await write(content, [body], createdAt);
    }
    for (const { taskId: task, slots } of writes) {
      // A batch is whole or not there.
      if (!slots.every(intact)) continue;
      const metas = slots.map(({ name, replace, chunks: refs }): [string, 0 | 1, string[]] => [
        name,
        replace ? 1 : 0,
        refs,
      ]);
      const bodies = slots.map(({ body }) => body);
      await write({ kind: "writes", ns, id, task, slots: metas, chunks: [] }, bodies, Date.now());
    }
  }
}

/** Tells records of which every byte is there and as it was written. */
function intactOf(log: ThreadLog): (record: { body: Location; chunks: string[] }) => boolean {
  const { state } = log;
  const known = new Map<string, boolean>();
  const isIntact = (hash: string): boolean => {
    const before = known.get(hash);
    if (before !== undefined) return before;
    const place = state.chunks.get(hash);
    const sound = place !== undefined && !state.isDamaged(place);
    const all = sound && (!place.index || listedHashes(log.readBody(place)).every(isIntact));
    known.set(hash, all);
    return all;
  };
  return ({ body, chunks }) => !state.isDamaged(body) && chunks.every(isIntact);
}

async function copyChunks(chunks: readonly [string, ChunkPlace][], write: Write): Promise<void> {
  let batch: [string, ChunkPlace][] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const places = batch.map(([, place]) => place);
    const metas = batch.map(([hash, { index }]): [string, 0 | 1] => [hash, index ? 1 : 0]);
    const since = places.map((place) => place.since);
    await write({ kind: "chunks", chunks: metas, since }, places, Date.now());
    batch = [];
    size = 0;
  };
  for (const entry of chunks) {
    batch.push(entry);
    size += entry[1].length;
    if (size >= BATCH_BYTES) await flush();
  }
  await flush();
}
