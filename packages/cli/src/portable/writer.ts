import { createHash } from "node:crypto";
import { once } from "node:events";
import type { Writable } from "node:stream";

import type { SourceThread } from "../copy/source.js";
import {
  encodeEntry,
  VERSION,
  type EndLine,
  type Header,
  type ThreadEndLine,
  type ThreadLine,
} from "./format.js";

/** Writes threads one after the other, at the pace of whoever takes the lines. */
export class PortableWriter {
  readonly #hash = createHash("sha256");
  threads = 0;
  checkpoints = 0;
  bytes = 0;

  constructor(private readonly output: Writable) {}

  async start(source: string, now: Date): Promise<void> {
    const header: Header = {
      format: "langgraph-savers",
      version: VERSION,
      createdAt: now.toISOString(),
      source,
    };
    await this.#line(header);
  }

  async thread(thread: SourceThread): Promise<void> {
    const { threadId } = thread;
    const line: ThreadLine = {
      thread: threadId,
      checkpoints: thread.names.map(({ namespace, checkpointId }) => [namespace, checkpointId]),
    };
    await this.#line(line);
    for await (const { entry } of thread.entries()) {
      await this.#line(encodeEntry(entry));
      this.checkpoints += 1;
    }
    await this.#line({ threadEnd: threadId } satisfies ThreadEndLine);
    this.threads += 1;
  }

  async end(): Promise<void> {
    const { threads, checkpoints } = this;
    const end: EndLine = { end: { threads, checkpoints, sha256: this.#hash.copy().digest("hex") } };
    await this.#line(end);
  }

  async #line(value: object): Promise<void> {
    const line = Buffer.from(`${JSON.stringify(value)}\n`);
    this.#hash.update(line);
    this.bytes += line.byteLength;
    if (!this.output.write(line)) await once(this.output, "drain");
  }
}
