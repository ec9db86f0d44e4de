import type { RegisterName, Registers as Values } from "@langgraph-savers/core";

import { isConditionFailure, type ItemKey, type Table } from "../table/table.js";
import type { Check } from "../table/transactions.js";
import { newRevision, revisionOf } from "./items.js";
import { registerKey, threadKey } from "./keys.js";

/** How long the item of a register that was removed stays. */
const REMOVED_SECONDS = 24 * 3600;

/**
 * The registers of threads: an item each, with the text in `val`, and the revision in `v`, which tells a repeated request
 * that its first attempt was applied. A removed one is an item without `val` for a while, so that this holds for it too.
 */
export class Registers {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async get(threadId: string, name: RegisterName): Promise<string | undefined> {
    return (await this.#table.get(keyOf(threadId, name)))?.["val"]?.S;
  }

  async set(
    threadId: string,
    name: RegisterName,
    value: string | undefined,
    expected: string | undefined,
  ): Promise<boolean> {
    const key = keyOf(threadId, name);
    const revision = newRevision();
    const expires = Math.ceil(Date.now() / 1000) + REMOVED_SECONDS;
    const item = {
      PK: { S: key.PK },
      SK: { S: key.SK },
      v: { S: revision },
      ...(value === undefined ? { ttl: { N: String(expires) } } : { val: { S: value } }),
    };
    try {
      await this.#table.put(item, {
        ExpressionAttributeNames: { "#val": "val" },
        ...(expected === undefined
          ? { ConditionExpression: "attribute_not_exists(#val)" }
          : {
              ConditionExpression: "#val = :expected",
              ExpressionAttributeValues: { ":expected": { S: expected } },
            }),
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      });
      return true;
    } catch (error) {
      if (!isConditionFailure(error)) throw error;
      const found = error.Item ?? (await this.#table.get(key));
      return found !== undefined && revisionOf(found) === revision;
    }
  }

  async hold(threadId: string, values: Values): Promise<boolean> {
    const found = await Promise.all(Object.keys(values).map((name) => this.get(threadId, name)));
    return Object.values(values).every((value, at) => found[at] === value);
  }
}

/** What a transaction checks, so that it happens only while the registers have these values. */
export function registerChecks(threadId: string, values: Values): Check[] {
  return Object.entries(values).map(([name, value]) => ({
    key: keyOf(threadId, name),
    ConditionExpression: "#val = :val",
    ExpressionAttributeNames: { "#val": "val" },
    ExpressionAttributeValues: { ":val": { S: value } },
  }));
}

function keyOf(threadId: string, name: RegisterName): ItemKey {
  return { PK: threadKey(threadId), SK: registerKey(name) };
}
