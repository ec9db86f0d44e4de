import { randomBytes } from "node:crypto";

import { isConditionFailure, type Item, type Table } from "../table/table.js";
import type { Expiry } from "./expiry.js";
import { GENERATION_KEY, threadKey } from "./keys.js";

/** Stands for the generation of threads that have none: nothing that they hold refers to chunks. */
export const NO_GENERATION = "0";
/** Ends those that no deletion started. */
const FIRST = "x";

/** How long a deleted thread that nobody uses again keeps its generation: far longer than a writer's knowledge lasts. */
const KEPT_SECONDS = 7 * 24 * 3600;
/** Far less than that, and far more than clocks differ. */
const LEFT_BEHIND_MS = 24 * 3600 * 1000;
const MAX_KNOWN = 10_000;

export interface Current {
  generation: string;
  /** It would expire, though there may soon be data of this generation. */
  temporary: boolean;
}

/**
 * The generations of threads, kept in an item of each: `g`, and `tmp` where only a deletion put it there. The first commit
 * that refers to chunks starts one, a deletion the next. Generations start with the time, so that they ascend and an
 * older one can be told from a newer one.
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
    return this.#known.get(threadId) ?? NO_GENERATION;
  }

  saw(threadId: string, generation: string): void {
    this.#known.delete(threadId);
    if (generation === NO_GENERATION) return;
    this.#known.set(threadId, generation);
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value!);
  }

  async read(threadId: string): Promise<Current> {
    const item = await this.#table.get({ PK: threadKey(threadId), SK: GENERATION_KEY });
    return this.#current(threadId, item);
  }

  /** The thread's generation; if it has none, this one from now on. */
  async claim(threadId: string, generation: string): Promise<Current> {
    const { names, values, set } = this.#expiry.assignment();
    const ttl = set === undefined ? "" : ", #ttl = if_not_exists(#ttl, :ttl)";
    const item = await this.#table.update(
      { PK: threadKey(threadId), SK: GENERATION_KEY },
      {
        UpdateExpression: `SET #g = if_not_exists(#g, :g)${ttl}`,
        ExpressionAttributeNames: { "#g": "g", ...names },
        ExpressionAttributeValues: { ":g": { S: generation }, ...values },
        ReturnValues: "ALL_NEW",
      },
    );
    return this.#current(threadId, item);
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

  #current(threadId: string, item: Item | undefined): Current {
    const generation = item?.["g"]?.S ?? NO_GENERATION;
    this.saw(threadId, generation);
    const temporary = item?.["tmp"] !== undefined || (item !== undefined && this.#expiry.hides(item));
    return { generation, temporary };
  }
}

/**
 * The first of the generations in which there may be something, where this is the thread's. A thread that has none was
 * deleted long ago, or only just gets its first.
 */
export function firstAlive(generation: string): string {
  return generation === NO_GENERATION ? timeDigits(Date.now() - LEFT_BEHIND_MS) : generation;
}

/** Whether those who saw a thread without a generation are right to go on: it was not deleted since. */
export function followsNone(generation: string): boolean {
  return generation === NO_GENERATION || generation.endsWith(FIRST);
}

/** For a thread that has none. */
export function firstGeneration(): string {
  return newGeneration(Date.now()) + FIRST;
}

const TIME_DIGITS = 12;

function newGeneration(time: number): string {
  return timeDigits(time) + randomBytes(6).toString("hex");
}

function timeDigits(time: number): string {
  return time.toString(16).padStart(TIME_DIGITS, "0");
}

function timeOf(generation: string): number {
  return Number.parseInt(generation.slice(0, TIME_DIGITS), 16);
}
