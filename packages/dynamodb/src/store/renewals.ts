import type { AttributeValue } from "@aws-sdk/client-dynamodb";

import { inParallel } from "../retry.js";
import type { Packs } from "../s3/packs.js";
import {
  isConditionFailure,
  keyOfItem,
  PARALLEL,
  type ItemKey,
  type Item,
  type Table,
  type UpdateInput,
} from "../table/table.js";
import { notConfigured } from "./chunks.js";
import { nowSeconds, seconds, type Expiry } from "./expiry.js";
import { objectOf } from "./items.js";
import { EXPIRY_KEY, THREAD_DATA, threadKey } from "./keys.js";

const MAX_KNOWN = 10_000;
/** No put takes so long from its first object to the item that refers to it. */
const PUT_MS = 3_600_000;

export interface RenewalParts {
  table: Table;
  expiry: Expiry;
  packs: Packs | undefined;
}

/** Where an item's object goes; both are the same where it stays. */
interface Move {
  from: string;
  to: string;
}

/**
 * Sliding expiry: the first put after half of the `ttl` gives all items of the thread their whole time again, and the
 * objects in S3 that they refer to; `at`, in an item of the thread, says when that was last done. So does a put to a
 * thread that was read with another saver's times: those of a shorter `ttl`, or any where this saver has none.
 */
export class Renewals {
  readonly #parts: RenewalParts;
  /** When all items of a thread were last known to have their whole time, in seconds. */
  readonly #renewed = new Map<string, number>();
  readonly #behind = new Set<string>();
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(parts: RenewalParts) {
    this.#parts = parts;
  }

  /** A checkpoint of the thread was read. */
  saw(threadId: string, item: Item): void {
    if (this.#parts.expiry.isBehind(item)) keepKnown(this.#behind.add(threadId));
  }

  async afterPut(threadId: string): Promise<void> {
    const { expiry } = this.#parts;
    const isBehind = this.#behind.has(threadId);
    if (expiry.ttl === undefined && !isBehind) return;
    const due = nowSeconds() - (expiry.ttl ?? 0) / 2;
    if (!isBehind && (this.#renewed.get(threadId) ?? 0) > due) return;
    // One serves all that come at once, such as the writes of parallel tasks: what they have just put has its whole time.
    let renewal = this.#underWay.get(threadId);
    if (renewal === undefined) {
      renewal = this.#renew(threadId, due, isBehind).finally(() => this.#underWay.delete(threadId));
      this.#underWay.set(threadId, renewal);
    }
    await renewal;
  }

  async #renew(threadId: string, due: number, isBehind: boolean): Promise<void> {
    const { table, expiry } = this.#parts;
    const mark = { PK: threadKey(threadId), SK: EXPIRY_KEY };
    let at = isBehind ? 0 : Number((await table.get(mark))?.["at"]?.N ?? 0);
    if (at <= due) {
      at = nowSeconds();
      await this.#renewItems(threadId);
      // Last, so that a renewal that is interrupted is done again by the next put.
      if (expiry.ttl === undefined) await table.batchDelete([mark]);
      else await table.put(expiry.other({ PK: { S: mark.PK }, SK: { S: mark.SK }, at: seconds(at) }));
    }
    this.#behind.delete(threadId);
    this.#renewed.delete(threadId);
    keepKnown(this.#renewed.set(threadId, at));
  }

  /**
   * An object is given its time before the items that refer to it are: it outlives them, as they do checkpoints. In the
   * end those go that nothing refers to, such as one that moved; a young one may belong to a put that is under way.
   */
  async #renewItems(threadId: string): Promise<void> {
    const { table, expiry, packs } = this.#parts;
    const PK = threadKey(threadId);
    const used = new Set<string>();
    const old = Date.now() - PUT_MS;
    const targets = new Map<string, Promise<string | undefined>>();
    const renew = (object: string): Promise<string | undefined> => {
      if (packs === undefined) throw notConfigured();
      const target = targets.get(object) ?? packs.renew(object);
      targets.set(object, target);
      return target;
    };
    for await (const items of table.range(PK, THREAD_DATA, ["PK", "SK", "ttl", "tmp", "q"])) {
      await inParallel(items, PARALLEL, async (item) => {
        const from = objectOf(item);
        if (expiry.renewed(item) === undefined) {
          if (from !== undefined) used.add(from);
          return;
        }
        const to = from === undefined ? undefined : await renew(from);
        // Its chunk went with it, or was sent again to another one, with a time of its own.
        if (from !== undefined && to === undefined) return;
        const ttl = expiry.renewed(item);
        if (ttl === undefined) return;
        await setTtl(table, keyOfItem(item), ttl, from === undefined ? undefined : { from, to: to! });
      });
    }
    for (const target of targets.values()) used.add((await target) ?? "");
    await packs?.delete(threadId, ({ object, since }) => since < old && !used.has(object));
  }
}

function keepKnown(known: Map<string, unknown> | Set<string>): void {
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
}

async function setTtl(
  table: Table,
  key: ItemKey,
  ttl: AttributeValue | null,
  move: Move | undefined,
): Promise<void> {
  const moves = move !== undefined && move.from !== move.to;
  const sets = [...(ttl === null ? [] : ["#ttl = :ttl"]), ...(moves ? ["#q[0] = :to"] : [])];
  const input: UpdateInput = {
    UpdateExpression: `${sets.length > 0 ? `SET ${sets.join(", ")}` : ""}${ttl === null ? " REMOVE #ttl" : ""}`,
    ConditionExpression: `attribute_exists(PK)${moves ? " AND #q[0] = :from" : ""}`,
    ExpressionAttributeNames: { "#ttl": "ttl", ...(moves ? { "#q": "q" } : {}) },
    ...(sets.length === 0
      ? {}
      : {
          ExpressionAttributeValues: {
            ...(ttl === null ? {} : { ":ttl": ttl }),
            ...(moves ? { ":from": { S: move.from }, ":to": { S: move.to } } : {}),
          },
        }),
  };
  try {
    await table.update(key, input);
  } catch (error) {
    // Deleted since it was read, or moved by another process that renews the thread.
    if (!isConditionFailure(error)) throw error;
  }
}
