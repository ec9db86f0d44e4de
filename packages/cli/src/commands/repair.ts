import { paints, printable } from "@langgraph-savers/command/terminal";

import { confirm } from "../command/confirm.js";
import { CommandError } from "../command/errors.js";
import { NEGATIVE, OK } from "../command/exit-codes.js";
import { print, printJson, printSentences, type Io } from "../command/io.js";
import { JSON_OPTION, STORE, YES_OPTION, type CommandSpec } from "../command/spec.js";
import { plural } from "../render/units.js";
import { withStore } from "../stores/open.js";
import type { OpenStore } from "../stores/store.js";
import type { FileSaver } from "@langgraph-savers/file";

export const repair: CommandSpec = {
  name: "repair",
  summary: "Makes damaged threads of a file store usable again with what is intact of them.",
  args: [STORE, { name: "THREAD", about: "Only this thread", optional: true }],
  options: { ...YES_OPTION, ...JSON_OPTION },
  details: [
    "What cannot be read is given up for good: restore a backup first if there is one. Threads that are intact are " +
      "left as they are.",
  ],
  examples: ["repair file:./checkpoints", "repair file:./checkpoints chat-1 --yes"],
  run: (call, io) =>
    withStore(call.arg("STORE"), "read", io, async (store) => {
      const saver = fileSaverOf(store);
      const threadId = call.optionalArg("THREAD");
      const before = await saver.verify(threadId);
      const damaged = new Set(before.problems.flatMap((problem) => problem.threadId ?? []));
      if (damaged.size > 0) {
        await confirm(
          io,
          call.flag("yes"),
          `${plural(damaged.size, "thread")} of ${store.label} will go on with what is intact, and lose the rest for good.`,
        );
        for (const id of damaged) await saver.repair(id);
      }
      const after = await saver.verify(threadId);
      const repaired = damaged.size;
      if (call.flag("json")) printJson(io, { repaired, intact: after.intact, problems: after.problems });
      else report(repaired, after, io);
      return after.problems.length === 0 ? OK : NEGATIVE;
    }),
};

function fileSaverOf({ kind, saver, label }: OpenStore): FileSaver {
  if (kind === "file" || (kind === "module" && "repair" in saver)) return saver as FileSaver;
  throw new CommandError(
    `Only stores of files can be repaired; ${label} is not one. Restore it from a backup.`,
  );
}

function report(
  repaired: number,
  { intact, problems }: Awaited<ReturnType<FileSaver["verify"]>>,
  io: Io,
): void {
  const paint = paints(io.out.colour);
  if (repaired === 0 && problems.length === 0) print(io.out, `${paint.green("✓")} Nothing is damaged.`);
  else if (problems.length === 0)
    print(
      io.out,
      `${paint.green("✓")} ${plural(repaired, "thread")} repaired: ${plural(intact, "checkpoint")} left.`,
    );
  else {
    print(io.out, `${paint.red("✗")} ${plural(problems.length, "problem")} left:`);
    for (const { message } of problems)
      printSentences(io.out, " ", printable(message.replace(/^\[@langgraph-savers\] /, "")));
  }
}
