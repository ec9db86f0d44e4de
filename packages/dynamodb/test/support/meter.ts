import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

interface Capacity {
  CapacityUnits?: number;
}

export interface Usage {
  /** Requests by command, such as `{ Query: 1, BatchGetItem: 1 }`. */
  requests: Record<string, number>;
  /** Requests that had to wait for the answer to another one, at most, and one. */
  waves: number;
  units: number;
}

/** Counts what a client sends, with the capacity units that the server says it took. */
export class Meter {
  #requests: Record<string, number> = {};
  #waves = 0;
  #answered = 0;
  #units = 0;

  constructor(client: DynamoDBClient) {
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const name = String(commandName).replace(/Command$/, "");
          this.#requests[name] = (this.#requests[name] ?? 0) + 1;
          const wave = this.#answered + 1;
          this.#waves = Math.max(this.#waves, wave);
          const metered = /Item|Query|Scan/.test(name)
            ? { ...args, input: { ...args.input, ReturnConsumedCapacity: "TOTAL" } as typeof args.input }
            : args;
          try {
            const result = await next(metered);
            const { ConsumedCapacity } = result.output as { ConsumedCapacity?: Capacity | Capacity[] };
            for (const { CapacityUnits = 0 } of [ConsumedCapacity ?? []].flat()) this.#units += CapacityUnits;
            return result;
          } finally {
            this.#answered = Math.max(this.#answered, wave);
          }
        },
      { step: "initialize", name: "meter", priority: "high" },
    );
  }

  /** What was sent during the work. */
  async during(work: () => Promise<unknown>): Promise<Usage> {
    this.#requests = {};
    this.#waves = this.#answered = this.#units = 0;
    await work();
    return { requests: this.#requests, waves: this.#waves, units: this.#units };
  }
}
