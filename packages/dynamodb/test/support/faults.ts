import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

import { testClient } from "./client.js";

/** Chances of each fault, 0 to 1, per request. */
interface FaultPlan {
  throttle?: number;
  /** Only a part of a batch is done; the rest is returned as unprocessed. */
  partialBatch?: number;
  conflict?: number;
  resetBefore?: number;
  resetAfter?: number;
  /** A read that is not consistent finds nothing. */
  staleReads?: boolean;
}

/** All of them, with throttles at 30 %. */
const ALL: FaultPlan = {
  throttle: 0.3,
  partialBatch: 0.3,
  conflict: 0.05,
  resetBefore: 0.05,
  resetAfter: 0.05,
  staleReads: true,
};

/** A client on which the plan's faults fall. The driver's own retries are off: they would hide most from the saver. */
export function faultyClient(seed: number, plan: FaultPlan = ALL) {
  const client = testClient("dynamodb", { maxAttempts: 1 });
  return { client, injected: injectFaults(client, plan, seed) };
}

type Input = Record<string, unknown>;
type Batch = Record<string, unknown[] | { Keys: unknown[] }>;

/** Makes a client fail as DynamoDB and networks do, in an order that the seed repeats. Counts what it injected. */
function injectFaults(client: DynamoDBClient, plan: FaultPlan, seed = 1): Record<string, number> {
  const injected: Record<string, number> = {};
  const random = randomNumbers(seed);
  const hits = (name: keyof FaultPlan): boolean => {
    if (!(random() < Number(plan[name] ?? 0))) return false;
    injected[name] = (injected[name] ?? 0) + 1;
    return true;
  };
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const input: Input = { ...args.input };
        if (hits("throttle")) throw failure("ProvisionedThroughputExceededException");
        if (/Put|Update|Delete|Transact/.test(String(commandName)) && hits("conflict"))
          throw failure("TransactionConflictException");
        if (hits("resetBefore")) throw failure("Error", "ECONNRESET");
        if (plan.staleReads === true && isStale(String(commandName), input)) {
          injected["staleReads"] = (injected["staleReads"] ?? 0) + 1;
          return { response: {}, output: { Items: [], $metadata: {} } };
        }
        const left = isBatch(String(commandName)) && hits("partialBatch") ? takeHalf(input) : undefined;
        const result = await next(left === undefined ? args : { ...args, input: left.now });
        if (left !== undefined) Object.assign(result.output, left.unprocessed(result.output));
        if (hits("resetAfter")) throw failure("Error", "ECONNRESET");
        return result;
      },
    { step: "initialize", name: "faults" },
  );
  return injected;
}

function isBatch(command: string): boolean {
  return command.startsWith("Batch");
}

function isStale(command: string, input: Input): boolean {
  if (!/^(GetItem|Query|Scan)/.test(command)) return false;
  return input["ConsistentRead"] !== true && input["IndexName"] === undefined;
}

function takeHalf(input: Input) {
  const [[table, entry]] = Object.entries(input["RequestItems"] as Batch) as [[string, Batch[string]]];
  const all = Array.isArray(entry) ? entry : entry.Keys;
  const half = Math.max(1, Math.floor(all.length / 2));
  const wrap = (part: unknown[]): Batch => ({
    [table]: Array.isArray(entry) ? part : { ...entry, Keys: part },
  });
  return {
    now: { ...input, RequestItems: wrap(all.slice(0, half)) },
    unprocessed: (output: object): object => {
      const rest = all.slice(half);
      const name = Array.isArray(entry) ? "UnprocessedItems" : "UnprocessedKeys";
      const already = (output as Record<string, Batch | undefined>)[name]?.[table];
      const more = already === undefined ? [] : Array.isArray(already) ? already : already.Keys;
      return rest.length + more.length === 0 ? {} : { [name]: wrap([...rest, ...more]) };
    },
  };
}

function failure(name: string, code?: string): Error {
  return Object.assign(new Error("injected"), {
    name,
    ...(code === undefined ? {} : { code }),
    $metadata: {},
  });
}

/** xorshift32, as fractions. */
function randomNumbers(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
