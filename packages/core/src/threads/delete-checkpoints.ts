import { quoteId, SaverError } from "../errors.js";
import { errorPlace } from "../saver/records.js";
import { keyOf } from "../saver/reader.js";
import type { CheckpointName, Page, CheckpointKey } from "../store/port.js";
import { needsParent } from "./delta-needs.js";
import { PAGE, pagesOf, type ThreadParts } from "./parts.js";

/** Options of `deleteCheckpoints`. */
export interface DeleteCheckpointsOptions {
  /** Only in this namespace. Default: in every one. */
  checkpointNs?: string;
  /**
   * Delete also what checkpoints that stay need, because a DeltaChannel of theirs holds only changes. Reading such a
   * channel then fails with `CHECKPOINT_DAMAGED`.
   */
  force?: boolean;
}

/** What `deleteCheckpoints` or `deleteForRuns` removed. */
export interface DeletedCheckpoints {
  /** How many there were. */
  checkpoints: number;
}

/** Ids that are not there are passed over. Children of what goes stay loadable: they have all their values. */
export async function deleteCheckpoints(
  parts: ThreadParts,
  threadId: string,
  checkpointIds: readonly string[],
  { checkpointNs, force }: { checkpointNs: string | undefined; force: boolean },
): Promise<DeletedCheckpoints> {
  const ids = new Set(checkpointIds);
  if (ids.size === 0) return { checkpoints: 0 };
  const chosen = ({ namespace, checkpointId }: CheckpointName) =>
    ids.has(checkpointId) && (checkpointNs === undefined || checkpointNs === namespace);
  if (!force) await assertNotNeeded(parts, threadId, chosen);
  return { checkpoints: await deleteChosen(parts, threadId, chosen) };
}

/** The checkpoints that were put by these runs, in every thread. */
export async function deleteForRuns(
  parts: ThreadParts,
  runIds: readonly string[],
  force: boolean,
): Promise<DeletedCheckpoints> {
  if (runIds.length === 0) return { checkpoints: 0 };
  const byThread = new Map<string, Set<string>>();
  for (let cursor: string | undefined; ;) {
    const page: Page<CheckpointKey> = await parts.store.listRuns({
      runIds,
      limit: PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const key of page.items) {
      const names = byThread.get(key.threadId) ?? new Set();
      byThread.set(key.threadId, names.add(nameOf(key)));
    }
    if (page.cursor === undefined) break;
    cursor = page.cursor;
  }
  // Of all threads before any: refused as a whole, or done as a whole.
  if (!force)
    for (const [threadId, names] of byThread) await assertNotNeeded(parts, threadId, chosenIn(names));
  let checkpoints = 0;
  for (const [threadId, names] of byThread)
    checkpoints += await deleteChosen(parts, threadId, chosenIn(names));
  return { checkpoints };
}

type Chosen = (name: CheckpointName) => boolean;

function chosenIn(names: ReadonlySet<string>): Chosen {
  return (name) => names.has(nameOf(name));
}

async function deleteChosen(parts: ThreadParts, threadId: string, chosen: Chosen): Promise<number> {
  let checkpoints = 0;
  for await (const page of pagesOf(parts.store, { threadId })) {
    const names = page.map(keyOf).filter(chosen);
    if (names.length > 0) checkpoints += (await parts.store.deleteCheckpoints(threadId, names)).checkpoints;
  }
  return checkpoints;
}

/** Looks at the children of what is to go: if none of them needs it, nobody further down does. */
async function assertNotNeeded(
  { store, reader }: ThreadParts,
  threadId: string,
  chosen: Chosen,
): Promise<void> {
  for await (const page of pagesOf(store, { threadId })) {
    for (const stored of page) {
      const { namespace } = stored;
      const parentId = stored.checkpoint?.parentId;
      if (parentId === undefined || chosen(keyOf(stored)) || !chosen({ namespace, checkpointId: parentId }))
        continue;
      if (!(await needsParent(reader, reader.opened(stored)))) continue;
      const [parent] = await store.getCheckpoints([{ threadId, namespace, checkpointId: parentId }]);
      if (parent!.checkpoint !== undefined) throw needed(keyOf(stored), parentId);
    }
  }
}

function needed(child: CheckpointKey, parentId: string): SaverError {
  return new SaverError(
    "CHECKPOINT_NEEDED",
    `The checkpoint ${quoteId(parentId)} was not deleted, nor any other: its child ${quoteId(child.checkpointId)} holds ` +
      "only changes against it. Delete that one too, or pass { force: true }.",
    errorPlace({ ...child, checkpointId: parentId }),
  );
}

function nameOf({ namespace, checkpointId }: CheckpointName): string {
  return JSON.stringify([namespace, checkpointId]);
}
