import { messageOf } from "@langgraph-savers/command/modules";
import { paints, printable } from "@langgraph-savers/command/terminal";

import { NEGATIVE, OK } from "../command/exit-codes.js";
import { print, printJson, printSentences, type Io } from "../command/io.js";
import { JSON_OPTION, STORE, type CommandSpec } from "../command/spec.js";
import { noThread } from "../inspect/find-checkpoint.js";
import { progress } from "../render/progress.js";
import { plural } from "../render/units.js";
import { eachThread, listThreads } from "../stores/each-thread.js";
import { withStore } from "../stores/open.js";
import { configOf, isPackSaver, type OpenStore, type PackSaver } from "../stores/store.js";

interface Found {
  intact: number;
  problems: {
    threadId?: string;
    checkpointNs?: string;
    checkpointId?: string;
    code?: string;
    message: string;
  }[];
}

export const verify: CommandSpec = {
  name: "verify",
  summary: "Reads everything that is stored, as a graph would, and reports what is missing or damaged.",
  args: [STORE, { name: "THREAD", about: "Only this thread", optional: true }],
  options: { ...JSON_OPTION },
  details: ["Changes nothing. Exit code 1 where something is damaged."],
  examples: ["verify file:./checkpoints", "verify mongodb://localhost/app chat-1 --json"],
  async run(call, io) {
    const threadId = call.optionalArg("THREAD");
    const found = await withStore(call.arg("STORE"), "read", io, async (store) => {
      const result = isPackSaver(store.saver)
        ? await verifyPack(store.saver, threadId, io)
        : await readAll(
            store,
            threadId === undefined ? await listThreads(store, { prefix: undefined }, io) : [{ threadId }],
            io,
          );
      if (threadId !== undefined && result.intact === 0 && result.problems.length === 0)
        throw noThread(threadId);
      return result;
    });
    if (call.flag("json")) printJson(io, found);
    else report(found, io);
    return found.problems.length === 0 ? OK : NEGATIVE;
  },
};

async function verifyPack(saver: PackSaver, threadId: string | undefined, io: Io): Promise<Found> {
  const bar = progress(io.err, "threads");
  let done = 0;
  try {
    return await saver.verify(threadId, (each) => bar.update((done += 1), undefined, each));
  } finally {
    bar.end();
  }
}

/** For savers that cannot check themselves: what they cannot read is damaged. */
async function readAll(store: OpenStore, threads: readonly { threadId: string }[], io: Io): Promise<Found> {
  const found: Found = { intact: 0, problems: [] };
  await eachThread(threads, io, async ({ threadId }) => {
    try {
      for await (const _ of store.saver.list(configOf(threadId))) found.intact += 1;
    } catch (error) {
      found.problems.push({ threadId, message: messageOf(error) });
    }
  });
  return found;
}

function report({ intact, problems }: Found, io: Io): void {
  const paint = paints(io.out.colour);
  for (const { threadId, checkpointNs, checkpointId, message } of problems) {
    const place = [threadId, checkpointNs, checkpointId].filter((part) => part !== undefined && part !== "");
    const where = paint.bold(printable(place.join(" · ") || "the store"));
    printSentences(io.out, paint.red("✗"), where, printable(message.replace(/^\[@langgraph-savers\] /, "")));
  }
  const verdict = `${plural(intact, "checkpoint")} read, every value of them`;
  if (problems.length === 0) print(io.out, `${paint.green("✓")} Intact: ${verdict}.`);
  else print(io.out, `\n${paint.red("✗")} ${plural(problems.length, "problem")}; ${verdict}.`);
}
