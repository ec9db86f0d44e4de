import { randomBytes } from "node:crypto";

import { digest } from "../codec/hash.js";
import { describePlace, SaverError } from "../errors.js";
import type { CheckpointKey, CheckpointStore } from "../store/port.js";
import type { Fence } from "./fences.js";
import { errorPlace } from "./records.js";

/** `"fork"`: a put on an older parent starts a branch. `"reject"`: it is refused with `STALE_PARENT`. */
export type OnStaleParent = "fork" | "reject";

/**
 * Claims the place of the newest checkpoint for one that is about to be put on `parentId`. A claim stops the commits of
 * all earlier ones, so whoever still finds its parent to be the newest after its claim is the only one who can follow it.
 */
export async function claimNewest(
  store: CheckpointStore,
  key: CheckpointKey,
  parentId: string | undefined,
): Promise<Fence[]> {
  const { threadId, namespace } = key;
  // Before the claim too: a run that is behind must not stop the one that is not.
  await assertNewest(store, key, parentId);
  // The namespace of a task is its own: nobody else puts there, and a register for each would pile up.
  if (namespace.includes(":")) return [];
  const register = `newest-${digest([namespace]).toString("hex")}`;
  const value = randomBytes(9).toString("base64url");
  for (;;) {
    const before = await store.getRegister(threadId, register);
    if (await store.setRegister(threadId, register, value, before)) break;
  }
  await assertNewest(store, key, parentId);
  return [{ store, threadId, register, value, stopped: () => staleParent(key, parentId) }];
}

/** Nothing newer than its parent is there, but for an earlier put of the same checkpoint. */
async function assertNewest(
  store: CheckpointStore,
  key: CheckpointKey,
  parentId: string | undefined,
): Promise<void> {
  const { threadId, namespace, checkpointId } = key;
  const [newest] = await store.getCheckpoints([{ threadId, namespace }]);
  if (newest!.checkpoint === undefined) return;
  const { checkpointId: id } = newest!.checkpoint;
  if (id !== parentId && id !== checkpointId) throw staleParent(key, parentId);
}

function staleParent(key: CheckpointKey, parentId: string | undefined): SaverError {
  const place = errorPlace(key);
  const parent = parentId === undefined ? "it has no parent" : "its parent is no longer the newest";
  return new SaverError(
    "STALE_PARENT",
    `The checkpoint was not stored, since ${parent} and others have been put to the namespace since (${describePlace(place)}). ` +
      "Another run is going on in the thread: start again from its newest checkpoint.",
    place,
  );
}
