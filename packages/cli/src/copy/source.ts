import { configOf, keyOf, type CheckpointName, type OpenStore, type ThreadRow } from "../stores/store.js";
import { entryOf, type Entry } from "./entry.js";
import { fingerprint, partsOf, type Fingerprint } from "./fingerprint.js";

export interface MarkedEntry {
  entry: Entry;
  mark: Fingerprint;
}

/** A thread that can be read once, in the order in which it is to be stored. */
export interface SourceThread {
  threadId: string;
  /** All of its checkpoints. */
  names: readonly CheckpointName[];
  /** Oldest first, so that a parent is there before its children. */
  entries(): AsyncGenerator<MarkedEntry>;
  /** The hashes of the parts of one of them, once more; undefined where it is gone. */
  parts(name: CheckpointName): Promise<Map<string, string> | undefined>;
}

/** Serialised bytes of tuples that are held at once; what is beyond is read a second time instead. */
const HELD_BYTES = 16 * 1024 * 1024;

export async function openThread(store: OpenStore, threadId: string): Promise<SourceThread> {
  const again = async (name: CheckpointName) => {
    const tuple = await store.saver.getTuple(configOf(threadId, name));
    return tuple && entryOf(tuple, store);
  };
  const held = new Map<string, MarkedEntry>();
  const names = store.keys === undefined ? await listNames(store, threadId, held) : [];
  if (store.keys !== undefined) for await (const name of store.keys(threadId)) names.push(name);
  return {
    threadId,
    names,
    parts: async (name) => {
      const entry = await again(name);
      return entry && partsOf(entry);
    },
    async *entries() {
      for (const name of names) {
        const key = keyOf(name);
        const known = held.get(key);
        held.delete(key);
        if (known !== undefined) yield known;
        const entry = known === undefined ? await again(name) : undefined;
        // Gone since it was listed.
        if (entry !== undefined) yield { entry, mark: fingerprint(entry) };
      }
    },
  };
}

/** Savers list the newest first; the names are all that has to be kept for the way back. */
async function listNames(
  store: OpenStore,
  threadId: string,
  held: Map<string, MarkedEntry>,
): Promise<CheckpointName[]> {
  const names: CheckpointName[] = [];
  let bytes = 0;
  for await (const tuple of store.saver.list(configOf(threadId))) {
    const entry = await entryOf(tuple, store);
    const { namespace, checkpointId } = entry;
    names.push({ namespace, checkpointId });
    if (bytes >= HELD_BYTES) continue;
    const mark = fingerprint(entry);
    bytes += mark.bytes;
    held.set(keyOf(entry), { entry, mark });
  }
  return names.toReversed();
}

/** The fingerprints of what a store has of a thread. */
export async function marksOf(store: OpenStore, threadId: string): Promise<Map<string, string>> {
  const marks = new Map<string, string>();
  for await (const tuple of store.saver.list(configOf(threadId))) {
    const entry = await entryOf(tuple, store);
    marks.set(keyOf(entry), fingerprint(entry).hash);
  }
  return marks;
}

/** What there is to copy: threads by name, and how to read one. */
export interface Source {
  label: string;
  threads(): AsyncGenerator<Pick<ThreadRow, "threadId" | "stamp">>;
  open(threadId: string): Promise<SourceThread>;
}
