import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

import { CommandError } from "../command/errors.js";
import type { Io } from "../command/io.js";
import { JSON_OPTION, STORE, type CommandSpec } from "../command/spec.js";
import { countOutcome, emptyReport } from "../copy/copy-all.js";
import { copyThread } from "../copy/copy-thread.js";
import { reportCopy } from "../copy/report.js";
import { PortableReader } from "../portable/reader.js";
import { progress } from "../render/progress.js";
import { withStore } from "../stores/open.js";

export const importCommand: CommandSpec = {
  name: "import",
  summary: "Reads threads from a file that export wrote, stores them, and reads them back.",
  args: [
    STORE,
    { name: "FILE", about: "The file; - is the standard input. Default: the standard input", optional: true },
  ],
  options: {
    merge: { about: "Also into threads that have checkpoints which the file has not" },
    ...JSON_OPTION,
  },
  details: [
    "A thread that is there already is left as it is; of one that is there in part, the rest is added. Interrupted, " +
      "run it again.",
  ],
  examples: ["import file:./checkpoints backup.jsonl.gz", "import file:./checkpoints < backup.jsonl"],
  run: (call, io) =>
    withStore(call.arg("STORE"), "write", io, (store) =>
      io.untilInterrupted(async (signal) => {
        const { input, total, read } = await openInput(call.optionalArg("FILE") ?? "-", io);
        const reader = new PortableReader(input);
        const report = emptyReport();
        const bar = progress(io.err, "KB");
        const start = performance.now();
        try {
          for await (const thread of reader.threads()) {
            const outcome = await copyThread(thread, store, {
              dryRun: false,
              merge: call.flag("merge"),
              signal,
            });
            // What was left alone has to be read past.
            if (outcome.result === "conflict") for await (const _ of thread.entries());
            countOutcome(report, outcome);
            const done = Math.round((total === undefined ? reader.bytes : read()) / 1000);
            bar.update(done, total === undefined ? undefined : Math.round(total / 1000), thread.threadId);
          }
        } catch (error) {
          if (!signal.aborted) throw error;
          report.interrupted = true;
        } finally {
          bar.end();
          input.destroy();
        }
        return reportCopy(
          report,
          { dryRun: false, json: call.flag("json"), ms: performance.now() - start },
          io,
        );
      }),
    ),
};

async function openInput(
  file: string,
  io: Io,
): Promise<{ input: Readable; total: number | undefined; read: () => number }> {
  if (file === "-") return { input: io.input, total: undefined, read: () => 0 };
  const path = resolve(io.folder, file);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new CommandError(`There is no file ${file}.`);
  const raw = createReadStream(path);
  let bytes = 0;
  raw.on("data", (data) => (bytes += data.length));
  const input = file.endsWith(".gz") ? raw.pipe(createGunzip()) : raw;
  raw.on("error", (error) => input.destroy(error));
  return { input, total: found.size, read: () => bytes };
}
