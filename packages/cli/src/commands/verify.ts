import { messageOf } from "@langgraph-savers/command/modules";
import { paints, printable } from "@langgraph-savers/command/terminal";

import { NEGATIVE, OK } from "../command/exit-codes.js";
import { print, printJson, type Io } from "../command/io.js";
import { JSON_OPTION, STORE, type CommandSpec } from "../command/spec.js";
import { noThread } from "../inspect/find-checkpoint.js";
import { progress } from "../render/progress.js";
import { plural } from "../render/units.js";
import { withStore } from "../stores/open.js";
import { threadIds } from "../stores/scan.js";
import { configOf, isPackSaver, type OpenStore } from "../stores/store.js";

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
        ? await store.saver.verify(threadId)
        : await readAll(store, threadId === undefined ? await threadIds(store) : [threadId], io);
      if (threadId !== undefined && result.intact === 0 && result.problems.length === 0)
        throw noThread(threadId);
      return result;
    });
    if (call.flag("json")) printJson(io, found);
    else report(found, io);
    return found.problems.length === 0 ? OK : NEGATIVE;
  },
};

/** For savers that cannot check themselves: what they cannot read is damaged. */
async function readAll(store: OpenStore, ids: readonly string[], io: Io): Promise<Found> {
  const found: Found = { intact: 0, problems: [] };
  const bar = progress(io.err, "threads");
  for (const [at, threadId] of ids.entries()) {
    try {
      for await (const _ of store.saver.list(configOf(threadId))) found.intact += 1;
    } catch (error) {
      found.problems.push({ threadId, message: messageOf(error) });
    }
    bar.update(at + 1, ids.length, threadId);
  }
  bar.end();
  return found;
}

function report({ intact, problems }: Found, io: Io): void {
  const paint = paints(io.out.colour);
  for (const { threadId, checkpointNs, checkpointId, message } of problems) {
    const place = [threadId, checkpointNs, checkpointId].filter((part) => part !== undefined && part !== "");
    print(io.out, `${paint.red("✗")} ${paint.bold(printable(place.join(" · ") || "the store"))}`);
    print(io.out, `  ${printable(message.replace(/^\[@langgraph-savers\] /, ""))}`);
  }
  const verdict = `${plural(intact, "checkpoint")} read, every value of them`;
  if (problems.length === 0) print(io.out, `${paint.green("✓")} Intact: ${verdict}.`);
  else print(io.out, `\n${paint.red("✗")} ${plural(problems.length, "problem")}; ${verdict}.`);
}
