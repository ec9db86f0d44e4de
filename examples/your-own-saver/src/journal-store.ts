import { randomUUID } from "node:crypto";
import { closeSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { MemoryStore, type CheckpointStore } from "@langgraph-savers/core";

/** The methods of the port that change something. */
const CHANGES = new Set<string>([
  "putCheckpoint",
  "putWrites",
  "deleteCheckpoints",
  "collectChunks",
  "setRegister",
  "deleteThread",
]);

type Call = (...args: unknown[]) => Promise<unknown>;

/**
 * A backend in a page: every call that changes something is a line in a file. Whoever has the file open makes the calls
 * again, in the order of the lines, on a `MemoryStore`, and answers all questions from that.
 *
 * What makes it right: a call is acknowledged once its line is durable; the order of the lines decides, for all processes
 * alike, who was first; a line that a crash cut off was never acknowledged, and is passed over.
 */
export function journalStore(path: string): CheckpointStore {
  const memory = new MemoryStore();
  const file = new Journal(path);
  const results = new Map<string, unknown>();
  let queue: Promise<unknown> = Promise.resolve();

  /** Takes in the lines that were added since. */
  const catchUp = async (): Promise<void> => {
    for (const { id, method, args } of file.newLines()) {
      const result = await (memory[method as keyof MemoryStore] as Call)(...args);
      if (results.has(id)) results.set(id, result);
    }
  };
  const change = async (method: string, args: unknown[]): Promise<unknown> => {
    const id = randomUUID();
    results.set(id, undefined);
    file.append({ id, method, args });
    await catchUp();
    const result = results.get(id);
    results.delete(id);
    return result;
  };
  /** One call at a time, so that nobody looks while lines are being taken in. */
  const inTurn = (work: () => Promise<unknown>): Promise<unknown> => {
    const result = queue.then(work);
    queue = result.catch(() => {});
    return result;
  };
  return new Proxy<CheckpointStore>(memory, {
    get(_, name: keyof CheckpointStore) {
      if (name === "close") return () => inTurn(async () => file.close());
      return (...args: unknown[]) =>
        inTurn(async () => {
          if (CHANGES.has(name)) return change(name, args);
          await catchUp();
          return (memory[name] as Call)(...args);
        });
    },
  });
}

interface Line {
  id: string;
  method: string;
  args: unknown[];
}

/** A file of JSON lines that several processes append to. */
class Journal {
  readonly #path: string;
  #file: number | undefined;
  #read = 0;

  constructor(path: string) {
    this.#path = path;
  }

  append(line: Line): void {
    // A line break in front, too: what a crash has cut off must not swallow what follows.
    writeSync(this.#open(), `\n${JSON.stringify(line, bytesToText)}\n`);
    fdatasyncSync(this.#open());
  }

  newLines(): Line[] {
    const file = this.#open();
    const bytes = Buffer.alloc(fstatSync(file).size - this.#read);
    readSync(file, bytes, 0, bytes.byteLength, this.#read);
    const whole = bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
    this.#read += whole.byteLength;
    return whole.toString("utf8").split("\n").flatMap(parse);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #open(): number {
    return (this.#file ??= openSync(this.#path, "a+", 0o600));
  }
}

/** JSON would write bytes as an object of numbers. `this[key]`, since a Buffer has turned itself into one by then. */
function bytesToText(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const bytes = this[key];
  return bytes instanceof Uint8Array ? { base64: Buffer.from(bytes).toString("base64") } : value;
}

function parse(line: string): Line[] {
  try {
    const parsed: unknown = JSON.parse(line, (_, value: unknown) => {
      if (typeof value !== "object" || value === null || !("base64" in value)) return value;
      return Buffer.from(value.base64 as string, "base64");
    });
    return [parsed as Line];
  } catch {
    return [];
  }
}
