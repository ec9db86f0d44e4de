import type { Registers } from "@langgraph-savers/core";

import type { Item, ItemKey, PutCondition, Table, UpdateInput } from "../table/table.js";
import type { Check } from "../table/transactions.js";
import { registerChecks } from "./registers.js";

/** Thrown by a write that was not made because a register has another value. */
export class Fenced extends Error {}

/**
 * Writes the item of a commit: by itself, or, where registers must have certain values, in a transaction that checks them.
 * DynamoDB charges twice the units for the latter.
 */
export class CommitWriter {
  readonly #table: Table;
  readonly #checks: Check[];

  constructor(table: Table, threadId: string, registers: Registers = {}) {
    this.#table = table;
    this.#checks = registerChecks(threadId, registers);
  }

  async put(item: Item, condition: PutCondition): Promise<void> {
    if (this.#checks.length === 0) await this.#table.put(item, condition);
    else if (!(await this.#table.checkedPut(this.#checks, item, condition))) throw new Fenced();
  }

  /** The attributes that `ReturnValues` asks for; none from a transaction, which cannot tell. */
  async update(key: ItemKey, input: UpdateInput): Promise<Item | undefined> {
    if (this.#checks.length === 0) return this.#table.update(key, input);
    if (!(await this.#table.checkedUpdate(this.#checks, key, input))) throw new Fenced();
    return undefined;
  }
}
