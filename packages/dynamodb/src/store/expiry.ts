import type { AttributeValue } from "@aws-sdk/client-dynamodb";

import type { Item } from "../table/table.js";
import { EXPIRY_KEY } from "./keys.js";

/** Longer than a writer relies on chunks that it saw stored (20 minutes). */
const SLACK_SECONDS = 3_600;

/** `SET` clause and its names and values for an update that gives an item its time to live; empty without one. */
export interface Assignment {
  set: string | undefined;
  names: Record<string, string>;
  values: Record<string, AttributeValue>;
}

/** The longest that an item lives after it was last given its whole time. */
export function longestSeconds(ttl: number): number {
  return ttl * 2 + SLACK_SECONDS;
}

/**
 * Times to live for sliding expiry of threads. An item's cannot depend on other items, so every item gets one when it is
 * written, and all of a thread's get new ones now and then (see `Renewals`). A checkpoint lives for 1.5 `ttl`; all else
 * for 2 `ttl` and an hour: what a checkpoint refers to is at most half a `ttl` older than it (else it would have been
 * given new time), and so outlives it.
 */
export class Expiry {
  /** In seconds; undefined: what this saver puts does not expire. */
  readonly ttl: number | undefined;

  constructor(ttlSeconds: number | undefined) {
    this.ttl = ttlSeconds;
  }

  /** Adds the time to live of a checkpoint. */
  checkpoint(item: Item): Item {
    return this.ttl === undefined ? item : { ...item, ttl: seconds(nowSeconds() + this.ttl * 1.5) };
  }

  /** Adds the time to live of whatever checkpoints rely on. */
  other(item: Item): Item {
    return this.ttl === undefined ? item : { ...item, ttl: this.#others() };
  }

  /** The same for an update. */
  assignment(): Assignment {
    if (this.ttl === undefined) return { set: undefined, names: {}, values: {} };
    return { set: "#ttl = :ttl", names: { "#ttl": "ttl" }, values: { ":ttl": this.#others() } };
  }

  /** For an update that must not bring back what has expired. */
  aliveCondition(): {
    conditions: string[];
    names: Record<string, string>;
    values: Record<string, AttributeValue>;
  } {
    return {
      conditions: ["(attribute_not_exists(#ttl) OR #ttl >= :now)"],
      names: { "#ttl": "ttl" },
      values: { ":now": { N: String(nowSeconds()) } },
    };
  }

  atLeast(keptSeconds: number): number {
    return Math.max(keptSeconds, this.ttl === undefined ? 0 : longestSeconds(this.ttl));
  }

  /** DynamoDB removes expired items hours or days later; until then readers have to hide them. */
  hides(item: Item): boolean {
    return item["ttl"] !== undefined && Number(item["ttl"].N) < nowSeconds();
  }

  /**
   * What a renewal does to the item: gives it this time to live, or none (`null`); undefined: leaves it. The times of
   * deletions that nobody has put to since are theirs, and what has expired stays so.
   */
  renewed(item: Item): AttributeValue | null | undefined {
    const SK = item["SK"]!.S!;
    const has = item["ttl"] === undefined ? Infinity : Number(item["ttl"].N);
    if (SK === EXPIRY_KEY || has < nowSeconds()) return undefined;
    if (this.ttl === undefined) return has === Infinity || item["tmp"] !== undefined ? undefined : null;
    const isCheckpoint = SK.startsWith("C#") && SK.endsWith("#");
    const wanted = (isCheckpoint ? this.checkpoint({}) : this.other({}))["ttl"]!;
    // A second of difference is not worth a write: the item was just written.
    return has === Infinity || has < Number(wanted.N) - 1 ? wanted : undefined;
  }

  /** Of a checkpoint: it would expire sooner than renewals let any, so that a saver with another `ttl` put it. */
  isBehind(item: Item): boolean {
    if (item["ttl"] === undefined) return false;
    return this.ttl === undefined || Number(item["ttl"].N) < nowSeconds() + this.ttl - 1;
  }

  #others(): AttributeValue {
    return seconds(nowSeconds() + longestSeconds(this.ttl!));
  }
}

export function nowSeconds(): number {
  return Date.now() / 1000;
}

export function seconds(time: number): AttributeValue {
  return { N: String(Math.ceil(time)) };
}
