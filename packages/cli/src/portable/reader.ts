import { createHash } from "node:crypto";
import type { Readable } from "node:stream";

import { CommandError } from "../command/errors.js";
import { fingerprint, partsOf } from "../copy/fingerprint.js";
import type { MarkedEntry, SourceThread } from "../copy/source.js";
import { keyOf } from "../stores/store.js";
import {
  decodeEntry,
  namesOf,
  VERSION,
  type CheckpointLine,
  type EndLine,
  type Header,
  type ThreadEndLine,
  type ThreadLine,
} from "./format.js";
import { linesOf } from "./lines.js";

type Line = Partial<Header & ThreadLine & CheckpointLine & ThreadEndLine & EndLine>;

/** Reads what `PortableWriter` wrote, once, thread by thread; each must be read to its end before the next. */
export class PortableReader {
  readonly #lines: AsyncGenerator<Buffer>;
  readonly #hash = createHash("sha256");
  #number = 0;
  #checkpoints = 0;
  bytes = 0;

  constructor(input: Readable) {
    this.#lines = linesOf(input);
  }

  async *threads(): AsyncGenerator<SourceThread> {
    const header = await this.#next();
    if (header?.format !== "langgraph-savers")
      throw this.#malformed("it does not begin with the header of an export");
    if (header.version !== VERSION)
      throw new CommandError(
        `The file has version ${String(header.version)} of the format, and this release reads ${VERSION}. Update @langgraph-savers/cli.`,
      );
    for (let threads = 0; ; threads++) {
      const sha256 = this.#hash.copy().digest("hex");
      const line = await this.#next();
      if (line?.end !== undefined) {
        const { end } = line;
        if (end.sha256 !== sha256 || end.threads !== threads || end.checkpoints !== this.#checkpoints)
          throw new CommandError("The file was changed since it was exported: its hash does not match.");
        return;
      }
      if (line === undefined) throw this.#malformed("it was cut: the line that ends it is missing");
      if (typeof line.thread !== "string") throw this.#malformed("a thread was expected");
      yield this.#thread(line as ThreadLine);
    }
  }

  #thread(line: ThreadLine): SourceThread {
    // There is no reading it again: what is needed to tell what differs is kept.
    const parts = new Map<string, Map<string, string>>();
    return {
      threadId: line.thread,
      names: namesOf(line),
      parts: async (name) => parts.get(keyOf(name)),
      entries: () => this.#entries(line, parts),
    };
  }

  async *#entries(
    { thread }: ThreadLine,
    parts: Map<string, Map<string, string>>,
  ): AsyncGenerator<MarkedEntry> {
    for (;;) {
      const line = await this.#next();
      if (line?.threadEnd === thread) return;
      if (line?.checkpoint === undefined) throw this.#malformed("a checkpoint was expected");
      const entry = await this.#decode(line as CheckpointLine);
      parts.set(keyOf(entry), partsOf(entry));
      this.#checkpoints += 1;
      yield { entry, mark: fingerprint(entry) };
    }
  }

  async #decode(line: CheckpointLine) {
    try {
      return await decodeEntry(line);
    } catch (error) {
      throw this.#malformed("a value cannot be read", error);
    }
  }

  async #next(): Promise<Line | undefined> {
    const { value: line, done } = await this.#lines.next();
    if (done === true) return undefined;
    this.#number += 1;
    this.bytes += line.byteLength + 1;
    this.#hash.update(line).update("\n");
    try {
      return JSON.parse(line.toString()) as Line;
    } catch (error) {
      throw this.#malformed("it is not JSON", error);
    }
  }

  #malformed(what: string, cause?: unknown): CommandError {
    return new CommandError(`The file cannot be read at line ${this.#number}: ${what}.`, { cause });
  }
}
