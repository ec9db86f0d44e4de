/**
 * A disk as it may be found after a power loss. Every file has the content that a sync made durable and the content that
 * programs saw; of each page that differs, chance decides which one is found, or neither.
 */
export const PAGE = 4096;

export type DiskEvent =
  | { kind: "write"; file: FileId; at: number; bytes: Buffer }
  | { kind: "sync-start"; file: FileId; sync: number }
  | { kind: "sync-end"; file: FileId; sync: number }
  | { kind: "name"; path: string; file: FileId }
  | { kind: "unname"; path: string }
  | { kind: "sync-folder"; folder: string }
  /** A call was acknowledged. */
  | { kind: "ack"; ack: unknown };

export type FileId = number;

interface ModelFile {
  seen: Buffer;
  durable: Buffer;
  /** What was seen when a sync started. */
  syncing: Map<number, Buffer>;
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
    const known = files.get(id) ?? { seen: Buffer.alloc(0), durable: Buffer.alloc(0), syncing: new Map() };
    files.set(id, known);
    return known;
  };
  for (const event of events.slice(0, count)) {
    switch (event.kind) {
      case "write": {
        const written = file(event.file);
        const size = Math.max(written.seen.byteLength, event.at + event.bytes.byteLength);
        const seen = Buffer.alloc(size);
        written.seen.copy(seen);
        event.bytes.copy(seen, event.at);
        written.seen = seen;
        break;
      }
      case "sync-start":
        file(event.file).syncing.set(event.sync, file(event.file).seen);
        break;
      case "sync-end":
        file(event.file).durable = file(event.file).syncing.get(event.sync)!;
        break;
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

function afterPowerLoss({ seen, durable }: ModelFile, random: () => number): Buffer {
  const longest = Math.max(seen.byteLength, durable.byteLength);
  const size =
    random() < 0.5 ? longest : durable.byteLength + Math.floor(random() * (longest - durable.byteLength + 1));
  const disk = Buffer.alloc(size);
  durable.copy(disk);
  for (let at = 0; at < size; at += PAGE) {
    const now = seen.subarray(at, at + PAGE);
    const then = durable.subarray(at, at + PAGE);
    if (now.equals(then)) continue;
    const chance = random();
    // A page that was durable in part keeps that part: disks write sectors whole, and it has not changed.
    const fixed = common(now, then);
    const end = Math.min(at + now.byteLength, size);
    if (chance < 0.4) now.copy(disk, at, 0, end - at);
    else if (chance < 0.7) for (let byte = at + fixed; byte < end; byte++) disk[byte] = 0;
    else if (chance < 0.85)
      for (let byte = at + fixed; byte < end; byte++) disk[byte] = Math.floor(random() * 256);
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
