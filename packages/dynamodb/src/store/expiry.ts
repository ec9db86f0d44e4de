import type { AttributeValue } from "@aws-sdk/client-dynamodb";

import { isConditionFailure, keyOfItem, PARALLEL, type Item, type Table } from "../table/table.js";
import { inParallel } from "../retry.js";
import { EXPIRY_KEY, THREAD_DATA, threadKey } from "./keys.js";

/** Longer than a writer relies on chunks that it saw stored (20 minutes). */
const SLACK_SECONDS = 3_600;
const MAX_KNOWN = 10_000;

/** `SET` clause and its names and values for an update that gives an item its time to live; empty without one. */
export interface Assignment {
  set: string | undefined;
  names: Record<string, string>;
  values: Record<string, AttributeValue>;
}

/**
 * Sliding expiry of threads. An item's time to live cannot depend on other items, so every item gets one when it is
 * written, and the first put after half of `ttl` gives all items of the thread a new one. A checkpoint lives for 1.5
 * `ttl`; all else for 2 `ttl` and an hour: what a checkpoint refers to is at most half a `ttl` older than it (else
 * it would have been given new time), and so outlives it.
 */
export class Expiry {
  readonly #ttl: number | undefined;
  /** When all items of a thread were last known to have their whole time, in seconds. */
  readonly #refreshed = new Map<string, number>();

  constructor(ttlSeconds: number | undefined) {
    this.#ttl = ttlSeconds;
  }

  /** Adds the time to live of a checkpoint. */
  checkpoint(item: Item): Item {
    return this.#ttl === undefined ? item : { ...item, ttl: seconds(nowSeconds() + this.#ttl * 1.5) };
  }

  /** Adds the time to live of whatever checkpoints rely on. */
  other(item: Item): Item {
    return this.#ttl === undefined ? item : { ...item, ttl: this.#others() };
  }

  /** The same for an update. */
  assignment(): Assignment {
    if (this.#ttl === undefined) return { set: undefined, names: {}, values: {} };
    return { set: "#ttl = :ttl", names: { "#ttl": "ttl" }, values: { ":ttl": this.#others() } };
  }

  /** For an update that must not bring back what has expired. */
  aliveCondition(): {
    conditions: string[];
    names: Record<string, string>;
    values: Record<string, AttributeValue>;
  } {
    if (this.#ttl === undefined) return { conditions: [], names: {}, values: {} };
    return {
      conditions: ["(attribute_not_exists(#ttl) OR #ttl >= :now)"],
      names: { "#ttl": "ttl" },
      values: { ":now": { N: String(nowSeconds()) } },
    };
  }

  atLeast(keptSeconds: number): number {
    return Math.max(keptSeconds, this.#ttl === undefined ? 0 : this.#ttl * 2 + SLACK_SECONDS);
  }

  /** DynamoDB removes expired items hours or days later; until then readers have to hide them. */
  hides(item: Item): boolean {
    return item["ttl"] !== undefined && Number(item["ttl"].N) < nowSeconds();
  }

  /**
   * After a put: gives all of the thread its whole time again, if half of the `ttl` went by since that was done. The
   * mark is written last, so that one that is interrupted is done again by the next put.
   */
  async extend(table: Table, threadId: string): Promise<void> {
    if (this.#ttl === undefined) return;
    const PK = threadKey(threadId);
    const due = nowSeconds() - this.#ttl / 2;
    if ((this.#refreshed.get(threadId) ?? 0) > due) return;
    const mark = await table.get({ PK, SK: EXPIRY_KEY });
    let at = Number(mark?.["at"]?.N ?? 0);
    if (at <= due) {
      at = nowSeconds();
      await this.#extendItems(table, PK);
      await table.put(this.other({ PK: { S: PK }, SK: { S: EXPIRY_KEY }, at: seconds(at) }));
    }
    this.#refreshed.delete(threadId);
    this.#refreshed.set(threadId, at);
    if (this.#refreshed.size > MAX_KNOWN) this.#refreshed.delete(this.#refreshed.keys().next().value!);
  }

  async #extendItems(table: Table, PK: string): Promise<void> {
    const now = nowSeconds();
    for await (const items of table.range(PK, THREAD_DATA, ["PK", "SK", "ttl"])) {
      await inParallel(items, PARALLEL, async (item) => {
        const { SK } = keyOfItem(item);
        const isCheckpoint = SK.startsWith("C#") && SK.endsWith("#");
        const wanted = (isCheckpoint ? this.checkpoint({}) : this.other({}))["ttl"]!;
        // A second of difference is not worth a write: the item was just written.
        const has = item["ttl"] === undefined ? Infinity : Number(item["ttl"].N);
        if (SK === EXPIRY_KEY || has < now || (has !== Infinity && has >= Number(wanted.N) - 1)) return;
        await setTtl(table, { PK, SK }, wanted);
      });
    }
  }

  #others(): AttributeValue {
    return seconds(nowSeconds() + this.#ttl! * 2 + SLACK_SECONDS);
  }
}

async function setTtl(table: Table, key: { PK: string; SK: string }, ttl: AttributeValue): Promise<void> {
  try {
    await table.update(key, {
      UpdateExpression: "SET #ttl = :ttl",
      ConditionExpression: "attribute_exists(PK)",
      ExpressionAttributeNames: { "#ttl": "ttl" },
      ExpressionAttributeValues: { ":ttl": ttl },
    });
  } catch (error) {
    // Deleted since it was read.
    if (!isConditionFailure(error)) throw error;
  }
}

function nowSeconds(): number {
  return Date.now() / 1000;
}

function seconds(time: number): AttributeValue {
  return { N: String(Math.ceil(time)) };
}
