import type { Chunk } from "@langgraph-savers/core";

import { inParallel } from "../retry.js";
import { newRevision } from "../store/items.js";
import { hash } from "../store/keys.js";
import type { Objects } from "./objects.js";

/** Where the bytes of a chunk are. */
export interface Extent {
  object: string;
  start: number;
  length: number;
}

const DEFAULT_MIN_BYTES = 256 * 1024;
const LARGEST_PACK = 8 * 1024 * 1024;
const PARALLEL = 8;
/** Bytes between two wanted chunks that are cheaper to read than another request. */
const GAP = 256 * 1024;

/** An object, as its key tells. */
export interface Pack {
  object: string;
  generation: string;
  /** When it was sent, by the clock of its writer. */
  since: number;
}

interface PackOptions {
  tableName: string;
  minBytes: number | undefined;
  /** Whether what this saver puts expires. */
  expire: boolean;
}

/** In front of the keys of objects that a rule of the bucket deletes when they are old enough. */
export const EXPIRING = "expiring/";

/**
 * Chunks packed into objects: those of one put, one after the other. An object is written once, under its thread and
 * generation, so that deletions find it by its key; the items of its chunks say where in it they are. Where threads
 * expire, their objects have a folder of their own, in which S3 deletes what is old.
 */
export class Packs {
  readonly #objects: Objects;
  readonly #table: string;
  readonly #minBytes: number;
  readonly #root: string;

  constructor(objects: Objects, { tableName, minBytes = DEFAULT_MIN_BYTES, expire }: PackOptions) {
    this.#objects = objects;
    // The same whether it is given by name or by ARN.
    this.#table = tableName.slice(tableName.lastIndexOf("/") + 1);
    this.#minBytes = minBytes;
    this.#root = expire ? EXPIRING : "";
  }

  takes(chunks: readonly Chunk[]): boolean {
    return chunks.length > 0 && chunks.reduce((sum, { data }) => sum + data.byteLength, 0) >= this.#minBytes;
  }

  /** Where each chunk will be, and the upload that brings it there. */
  plan(
    threadId: string,
    generation: string,
    chunks: readonly Chunk[],
  ): { extents: Extent[]; upload: () => Promise<void> } {
    const folder = `${this.#root}${this.#folderOf(threadId)}${generation}/`;
    const packs: { object: string; parts: Uint8Array[]; size: number }[] = [];
    const extents = chunks.map(({ data }): Extent => {
      let pack = packs.at(-1);
      if (pack === undefined || pack.size + data.byteLength > LARGEST_PACK) {
        pack = { object: folder + newName(), parts: [], size: 0 };
        packs.push(pack);
      }
      const extent = { object: pack.object, start: pack.size, length: data.byteLength };
      pack.parts.push(data);
      pack.size += data.byteLength;
      return extent;
    });
    const upload = async (): Promise<void> => {
      await inParallel(packs, PARALLEL, ({ object, parts }) =>
        this.#objects.put(object, Buffer.concat(parts)),
      );
    };
    return { extents, upload };
  }

  /** The bytes of each extent; undefined where its object is gone. */
  async read(extents: readonly Extent[]): Promise<(Uint8Array | undefined)[]> {
    const bytes = new Map<Extent, Uint8Array>();
    await inParallel(runsOf(extents), PARALLEL, async (run) => {
      const { object, start } = run[0]!;
      const end = Math.max(...run.map((extent) => extent.start + extent.length));
      const data = await this.#objects.get(object, start, end);
      if (data === undefined) return;
      for (const extent of run) {
        const at = extent.start - start;
        bytes.set(extent, data.subarray(at, at + extent.length));
      }
    });
    return extents.map((extent) => bytes.get(extent));
  }

  /**
   * Gives an object of the thread its whole time again, or frees it of any, as this saver's objects have it. Resolves to
   * its name from now on, which is another one where it changes folders; undefined: it is gone.
   */
  async renew(object: string): Promise<string | undefined> {
    const root = object.startsWith(EXPIRING) ? EXPIRING : "";
    if (root === "" && this.#root === "") return object;
    // Under a new time where it moves: as yet no item refers to it, and what is young is not collected.
    const { thread, generation } = partsOf(object.slice(root.length));
    const target = root === this.#root ? object : `${this.#root}${thread}/${generation}/${newName()}`;
    return (await this.#objects.copy(object, target)) ? target : undefined;
  }

  /** Deletes those of the thread's objects that are `unwanted`. */
  async delete(threadId: string, unwanted: (pack: Pack) => boolean): Promise<void> {
    for (const root of [EXPIRING, ""]) {
      for await (const keys of this.#objects.list(root + this.#folderOf(threadId))) {
        const gone = keys.filter((object) => {
          const { generation, name } = partsOf(object.slice(root.length));
          return unwanted({ object, generation, since: Number.parseInt(name, 10) });
        });
        await inParallel(gone, PARALLEL, (object) => this.#objects.delete(object));
      }
    }
  }

  /** Ids may hold anything; a key's folder may not. Tables that share a bucket may have threads of the same ids. */
  #folderOf(threadId: string): string {
    return `${hash(JSON.stringify([this.#table, threadId]))}/`;
  }
}

function newName(): string {
  return `${Date.now()}-${newRevision()}`;
}

function partsOf(object: string): { thread: string; generation: string; name: string } {
  const [thread, generation, name] = object.split("/");
  return { thread: thread!, generation: generation!, name: name! };
}

/** Extents that are read by one request: of one object, in order, and near each other. */
function runsOf(extents: readonly Extent[]): Extent[][] {
  const sorted = extents.toSorted((a, b) =>
    a.object < b.object ? -1 : a.object > b.object ? 1 : a.start - b.start,
  );
  const runs: Extent[][] = [];
  for (const extent of sorted) {
    const last = runs.at(-1)?.at(-1);
    const near =
      last !== undefined && last.object === extent.object && extent.start - last.start - last.length <= GAP;
    if (near) runs.at(-1)!.push(extent);
    else runs.push([extent]);
  }
  return runs;
}
