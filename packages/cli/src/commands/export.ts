import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { createGzip } from "node:zlib";

import { paints } from "@langgraph-savers/command/terminal";

import { UsageError } from "../command/errors.js";
import { OK } from "../command/exit-codes.js";
import { print, type Io } from "../command/io.js";
import { STORE, type CommandSpec } from "../command/spec.js";
import { openThread } from "../copy/source.js";
import { noThread } from "../inspect/find-checkpoint.js";
import { PortableWriter } from "../portable/writer.js";
import { progress } from "../render/progress.js";
import { formatBytes, plural } from "../render/units.js";
import { listThreads } from "../stores/each-thread.js";
import { withStore } from "../stores/open.js";

export const exportCommand: CommandSpec = {
  name: "export",
  summary: "Writes threads to a file of JSON lines, with everything that belongs to them.",
  args: [STORE, { name: "THREAD", about: "Only these threads", optional: true, rest: true }],
  options: {
    output: { short: "o", value: "FILE", about: "The file; .gz compresses it. Default: the standard output" },
    prefix: { value: "TEXT", about: "Only threads whose id begins so" },
  },
  details: [
    "Values are written in the pack's own form, which loses nothing. The file ends with a hash, so that import finds " +
      "out when something is missing.",
  ],
  examples: [
    "export file:./checkpoints -o backup.jsonl.gz",
    "export mongodb://localhost/app chat-1 | gzip > chat-1.gz",
  ],
  async run(call, io) {
    const file = call.text("output");
    const prefix = call.text("prefix");
    if (call.rest.length > 0 && prefix !== undefined)
      throw new UsageError("Name threads, or give --prefix, not both.");
    const writer = await withStore(call.arg("STORE"), "read", io, async (store) => {
      const ids =
        call.rest.length > 0
          ? call.rest
          : (await listThreads(store, { prefix }, io)).map(({ threadId }) => threadId);
      return writing(file, io, async (output) => {
        const written = new PortableWriter(output);
        const bar = progress(io.err, "threads");
        await written.start(store.label, io.now());
        for (const [at, threadId] of ids.entries()) {
          const thread = await openThread(store, threadId);
          if (thread.names.length === 0 && call.rest.length > 0) throw noThread(threadId);
          await written.thread(thread);
          bar.update(at + 1, ids.length, threadId);
        }
        await written.end();
        bar.end();
        return written;
      });
    });
    const { threads, checkpoints, bytes } = writer;
    const done = `${plural(threads, "thread")}, ${plural(checkpoints, "checkpoint")}, ${formatBytes(bytes)} of JSON`;
    if (file !== undefined) print(io.err, `${paints(io.err.colour).green("✓")} Exported ${done}.`);
    return OK;
  },
};

/** A file has its name only when it is complete. */
async function writing<T>(
  file: string | undefined,
  io: Io,
  work: (output: Writable) => Promise<T>,
): Promise<T> {
  if (file === undefined) return work(io.out.stream);
  const path = resolve(io.folder, file);
  const unfinished = `${path}.unfinished`;
  const target = createWriteStream(unfinished, { mode: 0o600 });
  const gzip = file.endsWith(".gz") ? createGzip() : undefined;
  gzip?.pipe(target);
  const ended = finished(target);
  // Heard of when it is awaited below.
  ended.catch(() => {});
  try {
    const output = gzip ?? target;
    const result = await Promise.race([
      work(output),
      ended.then(() => Promise.reject(new Error(`${file} was closed.`))),
    ]);
    output.end();
    await ended;
    await rename(unfinished, path);
    return result;
  } catch (error) {
    target.destroy();
    await rm(unfinished, { force: true });
    throw error;
  }
}
