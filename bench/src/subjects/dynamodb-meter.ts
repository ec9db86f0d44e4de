import { ScanCommand, type AttributeValue, type DynamoDBClient } from "@aws-sdk/client-dynamodb";

import type { Counts } from "./subject.js";
import { Waves } from "./waves.js";

interface Capacity {
  CapacityUnits?: number;
  ReadCapacityUnits?: number;
  WriteCapacityUnits?: number;
}

const READS = /^(GetItem|BatchGetItem|Query|Scan|TransactGetItems)/;
const METERED = /Item|Query|Scan|Transact/;

/** Counts requests and the units that the server says they took, of whichever saver uses the client. */
export function meter(client: DynamoDBClient): () => Required<Counts> {
  const waves = new Waves();
  const units = { readUnits: 0, writeUnits: 0 };
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const name = String(commandName);
        if (!METERED.test(name)) return next(args);
        const answered = waves.sent();
        const input = { ...args.input, ReturnConsumedCapacity: "TOTAL" } as typeof args.input;
        const result = await next({ ...args, input }).finally(answered);
        const { ConsumedCapacity } = result.output as { ConsumedCapacity?: Capacity | Capacity[] };
        for (const { CapacityUnits = 0 } of [ConsumedCapacity ?? []].flat())
          units[READS.test(name) ? "readUnits" : "writeUnits"] += CapacityUnits;
        return result;
      },
    { step: "initialize", name: "benchMeter", priority: "high" },
  );
  return () => ({ requests: waves.requests, roundTrips: waves.roundTrips, ...units });
}

/** Of all items, by the rules that Amazon bills by: names and values, without the index of the key. */
export async function tableBytes(client: DynamoDBClient, TableName: string): Promise<number> {
  let bytes = 0;
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey }),
    );
    for (const item of Items) bytes += mapBytes(item);
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return bytes;
}

function mapBytes(map: Record<string, AttributeValue>): number {
  return Object.entries(map).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value),
    0,
  );
}

function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.B !== undefined) return value.B.byteLength;
  if (value.N !== undefined) return 1 + Math.ceil(value.N.replace(/^-?0*\.?/, "").length / 2);
  if (value.M !== undefined) return 3 + Object.keys(value.M).length + mapBytes(value.M);
  if (value.L !== undefined) return 3 + value.L.reduce((sum, each) => sum + 1 + valueBytes(each), 0);
  if (value.SS !== undefined) return value.SS.reduce((sum, each) => sum + Buffer.byteLength(each), 0);
  if (value.BS !== undefined) return value.BS.reduce((sum, each) => sum + each.byteLength, 0);
  return 1;
}
