import { invalid, readOptions } from "../saver/config.js";
import { Mover } from "./moving.js";
import { pagesOf, threadExists, threadExistsAlready, threadNotFound, type ThreadParts } from "./parts.js";

/** Options of `copyThread`. */
export interface CopyThreadOptions {
  /**
   * What to do when the target is there already. `"error"` (default): refuse. `"merge"`: add to it, replacing
   * checkpoints of the same id. `"replace"`: delete it first. A copy that was interrupted has left the newest
   * checkpoints in the target: `"merge"` finishes it, `"replace"` does it again. The copy has the times of the source,
   * so what prunes by age takes both alike.
   */
  ifExists?: IfExists;
}

/** What `copyThread` does with a target that has checkpoints. */
export type IfExists = "error" | "merge" | "replace";

/** What `copyThread` copied. */
export interface CopyThreadResult {
  checkpoints: number;
}

export function readCopyOptions(
  source: string,
  target: string,
  options: CopyThreadOptions | undefined,
): IfExists {
  const { ifExists = "error" } = readOptions("copyThread", options);
  if (source === target) throw invalid("copyThread", "the target is the source; name another thread");
  if (!["error", "merge", "replace"].includes(ifExists))
    throw invalid("copyThread", '`ifExists` must be "error", "merge" or "replace"');
  return ifExists;
}

/** Newest first: whatever is there when it is interrupted has the state that the source has. */
export async function copyThread(
  parts: ThreadParts,
  source: string,
  target: string,
  ifExists: IfExists,
): Promise<CopyThreadResult> {
  const { store, reader, sealer } = parts;
  if (!(await threadExists(store, source))) throw threadNotFound("copyThread", source);
  if (ifExists !== "merge" && (await threadExists(store, target))) {
    if (ifExists === "error") {
      const advice = 'Name another one, or pass { ifExists: "merge" } or { ifExists: "replace" }.';
      throw threadExistsAlready("copyThread", target, advice);
    }
    await store.deleteThread(target);
    parts.cache.forget(target);
  }
  const mover = new Mover(store, sealer, target);
  let checkpoints = 0;
  for await (const page of pagesOf(store, { threadId: source })) {
    for (const stored of page) {
      await mover.move(reader.opened(stored));
      checkpoints += 1;
    }
  }
  return { checkpoints };
}
