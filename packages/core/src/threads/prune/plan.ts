import { INTERRUPT, WRITES_IDX_MAP } from "@langchain/langgraph-checkpoint";

import { ancestorsOf } from "../../saver/delta-history.js";
import { keyOf } from "../../saver/reader.js";
import { isRegularSlot, specialSlot } from "../../saver/records.js";
import type { CheckpointName, StoredCheckpoint } from "../../store/port.js";
import { needsParent } from "../delta-needs.js";
import { pagesOf, type ThreadParts } from "../parts.js";
import { isFinished } from "./finished.js";
import type { ReadPolicy } from "./policy.js";

/** Why a checkpoint stays. */
export type KeepReason =
  /** Among the newest of its namespace. */
  | "last"
  /** Not old enough. */
  | "recent"
  /** The newest finished one of its namespace. */
  | "finished"
  /** An interrupt in it has no answer yet. */
  | "interrupted"
  /** One that stays cannot be loaded without it. */
  | "needed";

/** What stays and what goes. Whatever is put later is in neither, and so stays. */
export interface PrunePlan {
  kept: Map<string, CheckpointName & { reasons: KeepReason[] }>;
  going: CheckpointName[];
}

interface Namespace {
  seen: number;
  finished: boolean;
  /** Parents of what was seen and that were not seen themselves yet: few at a time, since children come first. */
  parents: Set<string>;
}

/** Decides in one pass over the records, newest first, of which it keeps no more than the ids. */
export async function planPrune(
  parts: ThreadParts,
  threadId: string,
  policy: ReadPolicy,
): Promise<PrunePlan> {
  const plan: PrunePlan = { kept: new Map(), going: [] };
  const namespaces = new Map<string, Namespace>();
  for await (const page of pagesOf(parts.store, { threadId })) {
    for (const stored of page) {
      if (stored.checkpoint === undefined) continue;
      const namespace = namespaces.get(stored.namespace) ?? {
        seen: 0,
        finished: false,
        parents: new Set<string>(),
      };
      namespaces.set(stored.namespace, namespace);
      const reasons = await reasonsFor(parts, stored, namespace, policy);
      if (reasons.length > 0) await keep(parts, plan, stored, reasons);
      else plan.going.push(checkpointName(stored));
    }
  }
  // Some turned out to be needed by one that came after them.
  plan.going = plan.going.filter((name) => !plan.kept.has(nameOf(name)));
  return plan;
}

function checkpointName(stored: StoredCheckpoint): CheckpointName {
  const { namespace, checkpointId } = keyOf(stored);
  return { namespace, checkpointId };
}

function nameOf({ namespace, checkpointId }: CheckpointName): string {
  return JSON.stringify([namespace, checkpointId]);
}

async function reasonsFor(
  { reader }: ThreadParts,
  stored: StoredCheckpoint,
  namespace: Namespace,
  policy: ReadPolicy,
): Promise<KeepReason[]> {
  const { parentId, createdAt } = stored.checkpoint!;
  const reasons: KeepReason[] = [];
  namespace.seen += 1;
  if (namespace.seen <= policy.keepLast) reasons.push("last");
  if (createdAt >= policy.before) reasons.push("recent");
  const hasChild = namespace.parents.delete(stored.checkpointId!);
  if (parentId !== undefined && parentId !== stored.checkpointId) namespace.parents.add(parentId);
  if (policy.keepInterrupted && !hasChild && isInterrupted(stored)) reasons.push("interrupted");
  if (policy.keepFinished && !namespace.finished) {
    const finished = await reader.unlessGone(stored, () => isFinished(reader, reader.opened(stored)));
    if (finished === true) reasons.push("finished");
    namespace.finished = finished === true;
  }
  return reasons;
}

/** A task was interrupted and has written nothing since: told by the names of the slots. */
function isInterrupted({ writes }: StoredCheckpoint): boolean {
  const interrupted = specialSlot(WRITES_IDX_MAP[INTERRUPT]!);
  return writes.some(
    ({ slots }) =>
      slots.some(({ name }) => name === interrupted) && !slots.some(({ name }) => isRegularSlot(name)),
  );
}

/** Also keeps the ancestors without which it cannot be loaded. */
async function keep(
  { store, reader }: ThreadParts,
  plan: PrunePlan,
  stored: StoredCheckpoint,
  reasons: KeepReason[],
): Promise<void> {
  if (!add(plan, stored, reasons)) return;
  const opened = reader.opened(stored);
  if (!(await needsParent(reader, opened))) return;
  for await (const ancestor of ancestorsOf(store, keyOf(stored))) {
    if (ancestor.checkpointId === stored.checkpointId) continue;
    // Its own ancestors were kept with it.
    if (!add(plan, ancestor, ["needed"])) return;
    if (!(await needsParent(reader, reader.opened(ancestor)))) return;
  }
}

/** False where it was kept before. */
function add(plan: PrunePlan, stored: StoredCheckpoint, reasons: readonly KeepReason[]): boolean {
  const name = checkpointName(stored);
  const before = plan.kept.get(nameOf(name));
  const all = new Set([...(before?.reasons ?? []), ...reasons]);
  plan.kept.set(nameOf(name), { ...name, reasons: [...all] });
  return before === undefined;
}
