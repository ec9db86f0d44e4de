import { setTimeout as delay } from "node:timers/promises";

const PATIENCE_MS = 1000;
const STEP_MS = 50;

/** Handles that Node keeps for the process itself, or that come and go with it. */
const OWN = new Set(["TTYWrap", "PipeWrap", "FSReqPromise", "FSReqCallback", "CloseReq", "MessagePort"]);

/**
 * What keeps the process from ending by itself, beyond what did before, in words. A connection that is being closed is
 * given a moment to be gone.
 */
export async function openHandles(before: readonly string[]): Promise<string[]> {
  let open = added(before);
  for (let waited = 0; open.size > 0 && waited < PATIENCE_MS; waited += STEP_MS) {
    await delay(STEP_MS, undefined, { ref: false });
    open = added(before);
  }
  return Array.from(open, ([kind, count]) => `${count} × ${kind}`);
}

export function activeHandles(): string[] {
  return process.getActiveResourcesInfo();
}

function added(before: readonly string[]): Map<string, number> {
  const counts = countKinds(activeHandles());
  for (const [kind, count] of countKinds(before)) {
    const left = (counts.get(kind) ?? 0) - count;
    if (left > 0) counts.set(kind, left);
    else counts.delete(kind);
  }
  return counts;
}

function countKinds(kinds: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of kinds) if (!OWN.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
