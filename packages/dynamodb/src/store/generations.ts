import { randomBytes } from "node:crypto";

import { isConditionFailure, type Item, type Table } from "../table/table.js";
import type { Expiry } from "./expiry.js";
import { GENERATION_KEY, threadKey } from "./keys.js";

/** The generation of threads that were not deleted lately. Sorts before all others. */
export const FIRST_GENERATION = "0";

/** How long a deleted thread that nobody uses again keeps its generation: far longer than a writer's knowledge lasts. */
const KEPT_SECONDS = 7 * 24 * 3600;
const MAX_KNOWN = 10_000;

interface Current {
  generation: string;
  /** It would expire, though there may soon be data of this generation. */
  temporary: boolean;
}

/**
 * The generations of threads. A deletion starts a new one by writing the thread's generation item; where there is no such
 * item the thread is in the first one. Generations start with the time, so that they ascend and an older one can be
 * told from a newer one.
 */
export class Generations {
  readonly #table: Table;
  readonly #expiry: Expiry;
  /** What was seen last: a guess that saves writing chunks twice, never relied on. */
  readonly #known = new Map<string, string>();

  constructor(table: Table, expiry: Expiry) {
    this.#table = table;
    this.#expiry = expiry;
  }

  guess(threadId: string): string {
    return this.#known.get(threadId) ?? FIRST_GENERATION;
  }

  saw(threadId: string, generation: string): void {
    this.#known.delete(threadId);
    if (generation === FIRST_GENERATION) return;
    this.#known.set(threadId, generation);
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value!);
  }

  async read(threadId: string): Promise<Current> {
    const item = await this.#table.get({ PK: threadKey(threadId), SK: GENERATION_KEY });
    const generation = item?.["g"]?.S ?? FIRST_GENERATION;
    this.saw(threadId, generation);
    return { generation, temporary: item?.["tmp"] !== undefined };
  }

  /**
   * Before the first data of a generation: its item must not expire sooner than the data. False: it has expired or
   * changed in the meantime.
   */
  async keep(threadId: string, generation: string): Promise<boolean> {
    const { names, values, set } = this.#expiry.assignment();
    try {
      await this.#table.update(
        { PK: threadKey(threadId), SK: GENERATION_KEY },
        {
          UpdateExpression: set === undefined ? "REMOVE #tmp, #ttl" : `SET ${set} REMOVE #tmp`,
          ConditionExpression: "#g = :g",
          ExpressionAttributeNames: { "#g": "g", "#tmp": "tmp", "#ttl": "ttl", ...names },
          ExpressionAttributeValues: { ":g": { S: generation }, ...values },
        },
      );
      return true;
    } catch (error) {
      if (isConditionFailure(error)) return false;
      throw error;
    }
  }

  /** Starts a new generation, greater than all before it, and returns it. */
  async advance(threadId: string): Promise<string> {
    const key = { PK: threadKey(threadId), SK: GENERATION_KEY };
    for (let time = Date.now(); ;) {
      const generation = newGeneration(time);
      const item: Item = {
        PK: { S: key.PK },
        SK: { S: key.SK },
        g: { S: generation },
        tmp: { BOOL: true },
        ttl: { N: String(Math.ceil(Date.now() / 1000) + this.#expiry.atLeast(KEPT_SECONDS)) },
      };
      try {
        await this.#table.put(item, {
          ConditionExpression: "attribute_not_exists(#g) OR #g < :g",
          ExpressionAttributeNames: { "#g": "g" },
          ExpressionAttributeValues: { ":g": item["g"]! },
        });
        this.saw(threadId, generation);
        return generation;
      } catch (error) {
        if (!isConditionFailure(error)) throw error;
        // Another process deleted it at the same time, or has a clock that is ahead.
        time = Math.max(Date.now(), timeOf((await this.read(threadId)).generation) + 1);
      }
    }
  }
}

const TIME_DIGITS = 12;

function newGeneration(time: number): string {
  return time.toString(16).padStart(TIME_DIGITS, "0") + randomBytes(6).toString("hex");
}

function timeOf(generation: string): number {
  return Number.parseInt(generation.slice(0, TIME_DIGITS), 16);
}
