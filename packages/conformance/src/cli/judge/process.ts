import { messageOf } from "@langgraph-savers/command/modules";

import type { CatalogueEntry } from "../../reporters/reporter.js";
import { loadTarget } from "../../targets/load-target.js";
import { selectScenarios } from "../selection.js";
import { UsageError } from "../usage-error.js";
import type { Assignment, JudgeMessage } from "./messages.js";
import { activeHandles, openHandles } from "./open-handles.js";
import { loadKit, useLangGraphOf } from "./project-langgraph.js";

const HEARTBEAT_MS = 500;

/**
 * The process in which one saver is judged. It is the saver's to block, to crash or to keep open; the command that
 * started it watches from outside.
 */
process.once("message", (assignment: Assignment) => void judge(assignment));
// Ctrl-C reaches the whole group; the command decides what becomes of this process.
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit(1));
process.on("unhandledRejection", (reason) => {
  tell({ type: "note", note: `Unhandled rejection: ${messageOf(reason)}` });
});

async function judge(assignment: Assignment): Promise<void> {
  setInterval(() => tell({ type: "alive" }), HEARTBEAT_MS).unref();
  // Opened by the first write, and no fault of the saver's.
  void [process.stdout, process.stderr];
  const before = activeHandles();
  try {
    const { folder, scratch, timeoutScale } = assignment;
    useLangGraphOf(folder);
    const target = await loadTarget(assignment.target, { folder, scratch, env: process.env });
    const { runConformance, scenarios } = await loadKit();
    const only = selectScenarios(scenarios, assignment.only).map(({ id }) => id);
    tell({ type: "loaded", name: target.name, catalogue: scenarios.map(entryOf), selected: only });
    const report = await runConformance({
      ...target,
      only,
      timeoutScale,
      onResult: (result) => tell({ type: "result", result }),
    });
    const open = await openHandles(before);
    if (open.length > 0)
      tell({
        type: "note",
        note: `Left open after cleanup, so that a process would not end: ${open.join(", ")}`,
      });
    await tellLast({ type: "done", report });
  } catch (error) {
    const because = error instanceof UsageError ? "usage" : "target";
    await tellLast({ type: "refused", because, message: messageOf(error) });
  }
  process.exit();
}

/** What of a scenario can leave the process. */
function entryOf({ id, group, rule, why, needs }: CatalogueEntry): CatalogueEntry {
  return { id, group, rule, why, ...(needs !== undefined && { needs }) };
}

function tell(message: JudgeMessage): void {
  process.send?.(message);
}

/** Resolves when the message is on its way: what is sent just before an exit may be lost otherwise. */
function tellLast(message: JudgeMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(message, () => resolve());
  });
}
