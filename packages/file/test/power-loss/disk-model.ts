/**
 * A disk as it may be found after a power loss. Every file has the content that a sync made durable and the content that
 * programs saw; of each page that differs, chance decides which one is found, or neither.
 */
const PAGE = 4096;

export type DiskEvent =
  | { kind: "write"; file: FileId; at: number; bytes: Buffer }
  | { kind: "sync-start"; file: FileId; sync: number }
  | { kind: "sync-end"; file: FileId; sync: number }
  | { kind: "name"; path: string; file: FileId }
  | { kind: "unname"; path: string }
  | { kind: "sync-folder"; folder: string }
  /** A call was acknowledged. */
  | { kind: "ack"; ack: unknown };

type FileId = number;

interface Write {
  at: number;
  bytes: Buffer;
}

interface ModelFile {
  durable: Buffer;
  /** What programs see on top of it. */
  pending: Write[];
  /** How many of the pending writes each sync under way covers. */
  syncing: Map<number, Write[]>;
}

export interface Crash {
  files: Map<string, Buffer>;
  acks: unknown[];
}

/** The disk after the first `count` events and a power loss. */
export function crashAfter(events: readonly DiskEvent[], count: number, random: () => number): Crash {
  const files = new Map<FileId, ModelFile>();
  const names = new Map<string, FileId>();
  const durableNames = new Map<string, FileId>();
  const acks: unknown[] = [];
  const file = (id: FileId): ModelFile => {
    const known = files.get(id) ?? { durable: Buffer.alloc(0), pending: [], syncing: new Map() };
    files.set(id, known);
    return known;
  };
  for (const event of events.slice(0, count)) {
    switch (event.kind) {
      case "write":
        file(event.file).pending.push(event);
        break;
      case "sync-start":
        file(event.file).syncing.set(event.sync, [...file(event.file).pending]);
        break;
      case "sync-end": {
        const synced = file(event.file);
        const covered = new Set(synced.syncing.get(event.sync));
        synced.durable = applied(synced.durable, covered);
        synced.pending = synced.pending.filter((write) => !covered.has(write));
        break;
      }
      case "name":
        names.set(event.path, event.file);
        break;
      case "unname":
        names.delete(event.path);
        break;
      case "sync-folder":
        for (const path of new Set([...names.keys(), ...durableNames.keys()])) {
          if (!path.startsWith(`${event.folder}/`)) continue;
          const id = names.get(path);
          if (id === undefined) durableNames.delete(path);
          else durableNames.set(path, id);
        }
        break;
      case "ack":
        acks.push(event.ack);
        break;
    }
  }
  const found = new Map<string, Buffer>();
  for (const path of new Set([...names.keys(), ...durableNames.keys()])) {
    const id = random() < 0.5 ? names.get(path) : durableNames.get(path);
    if (id !== undefined) found.set(path, afterPowerLoss(file(id), random));
  }
  return { files: found, acks };
}

/** In place where the size allows it. */
function applied(content: Buffer, writes: Iterable<Write>): Buffer {
  let result = content;
  for (const { at, bytes } of writes) {
    if (at + bytes.byteLength > result.byteLength) {
      const longer = Buffer.alloc(at + bytes.byteLength);
      result.copy(longer);
      result = longer;
    }
    bytes.copy(result, at);
  }
  return result;
}

function afterPowerLoss({ durable, pending }: ModelFile, random: () => number): Buffer {
  const seen = applied(Buffer.from(durable), pending);
  const grown = seen.byteLength - durable.byteLength;
  const size = random() < 0.5 ? seen.byteLength : durable.byteLength + Math.floor(random() * (grown + 1));
  const disk = Buffer.alloc(size);
  durable.copy(disk);
  const pages = new Set<number>();
  for (const { at, bytes } of pending) {
    for (let page = at - (at % PAGE); page < at + bytes.byteLength; page += PAGE) pages.add(page);
  }
  for (const at of pages) {
    const now = seen.subarray(at, at + PAGE);
    const end = Math.min(at + now.byteLength, size);
    const chance = random();
    // A page that was durable in part keeps that part: disks write sectors whole, and it has not changed.
    const changed = at + common(now, durable.subarray(at, at + PAGE));
    if (chance < 0.4) now.copy(disk, at, 0, Math.max(0, end - at));
    else if (chance < 0.7) for (let byte = changed; byte < end; byte++) disk[byte] = 0;
    else if (chance < 0.85)
      for (let byte = changed; byte < end; byte++) disk[byte] = Math.floor(random() * 256);
    // else: the page as it was before.
  }
  return disk;
}

/** How many bytes at the start two pages share. */
function common(a: Buffer, b: Buffer): number {
  let at = 0;
  while (at < a.byteLength && at < b.byteLength && a[at] === b[at]) at++;
  return at;
}
