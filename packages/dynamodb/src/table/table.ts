import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
  type AttributeValue,
  type DeleteItemCommandInput,
  type DynamoDBClient,
  type PutItemCommandInput,
  type QueryCommandInput,
  type ScanCommandInput,
  type UpdateItemCommandInput,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import { SaverError } from "@langgraph-savers/core";

import { errorName, translate } from "../errors.js";
import { inParallel, Patience, retrying } from "../retry.js";

export type Item = Record<string, AttributeValue>;

/** The two keys of an item. */
export interface ItemKey {
  PK: string;
  SK: string;
}

export interface ItemPage {
  items: Item[];
  /** Where the next page starts; absent on the last one. */
  next?: Item;
}

type Own<Input> = Omit<Input, "TableName">;

/** What DynamoDB takes in one request, and how many requests of one call run at once. */
const BATCH_WRITE = 25;
const BATCH_GET = 100;
export const PARALLEL = 16;

export interface TableParts {
  client: DynamoDBClient;
  tableName: string;
  retryMs: number;
  /** Called when the table is not there: creates it, or throws. */
  onMissing: () => Promise<void>;
}

/**
 * The table's requests: consistent reads, all unprocessed parts of batches sent again, passing failures repeated within
 * a bounded time, and errors of the pack for the rest. A condition that does not hold is thrown as the driver's own
 * `ConditionalCheckFailedException`.
 */
export class Table {
  readonly #parts: TableParts;

  constructor(parts: TableParts) {
    this.#parts = parts;
  }

  async get(key: ItemKey): Promise<Item | undefined> {
    const input = { Key: marshallKey(key), ConsistentRead: true };
    const { Item } = await this.#send((client, TableName) =>
      client.send(new GetItemCommand({ TableName, ...input })),
    );
    return Item;
  }

  async put(item: Item, condition: Own<Omit<PutItemCommandInput, "Item">> = {}): Promise<void> {
    await this.#send((client, TableName) =>
      client.send(new PutItemCommand({ TableName, Item: item, ...condition })),
    );
  }

  async update(key: ItemKey, input: Own<Omit<UpdateItemCommandInput, "Key">>): Promise<void> {
    await this.#send((client, TableName) =>
      client.send(new UpdateItemCommand({ TableName, Key: marshallKey(key), ...input })),
    );
  }

  async delete(key: ItemKey, condition: Own<Omit<DeleteItemCommandInput, "Key">>): Promise<void> {
    await this.#send((client, TableName) =>
      client.send(new DeleteItemCommand({ TableName, Key: marshallKey(key), ...condition })),
    );
  }

  async query(input: Own<QueryCommandInput>): Promise<ItemPage> {
    const { Items = [], LastEvaluatedKey } = await this.#send((client, TableName) =>
      client.send(new QueryCommand({ TableName, ConsistentRead: true, ...input })),
    );
    return LastEvaluatedKey === undefined ? { items: Items } : { items: Items, next: LastEvaluatedKey };
  }

  async scan(input: Own<ScanCommandInput>): Promise<ItemPage> {
    const { Items = [], LastEvaluatedKey } = await this.#send((client, TableName) =>
      client.send(new ScanCommand({ TableName, ConsistentRead: true, ...input })),
    );
    return LastEvaluatedKey === undefined ? { items: Items } : { items: Items, next: LastEvaluatedKey };
  }

  async batchPut(items: readonly Item[]): Promise<void> {
    await this.#batchWrite(items.map((Item) => ({ PutRequest: { Item } })));
  }

  async batchDelete(keys: readonly ItemKey[]): Promise<void> {
    await this.#batchWrite(keys.map((key) => ({ DeleteRequest: { Key: marshallKey(key) } })));
  }

  /** The items that are there, in no particular order. */
  async batchGet(keys: readonly ItemKey[]): Promise<Item[]> {
    const batches = slices(keys.map(marshallKey), BATCH_GET);
    return (await inParallel(batches, PARALLEL, (batch) => this.#getBatch(batch))).flat();
  }

  async #getBatch(keys: Item[]): Promise<Item[]> {
    const { tableName } = this.#parts;
    const patience = new Patience(this.#parts.retryMs);
    const found: Item[] = [];
    for (let left = keys; ;) {
      const request = { [tableName]: { Keys: left, ConsistentRead: true } };
      const { Responses, UnprocessedKeys } = await this.#send(
        (client) => client.send(new BatchGetItemCommand({ RequestItems: request })),
        patience,
      );
      found.push(...(Responses?.[tableName] ?? []));
      const unprocessed = UnprocessedKeys?.[tableName]?.Keys ?? [];
      if (unprocessed.length === 0) return found;
      await this.#pause(patience, unprocessed.length < left.length);
      left = unprocessed;
    }
  }

  async #batchWrite(requests: WriteRequest[]): Promise<void> {
    const { tableName } = this.#parts;
    await inParallel(slices(requests, BATCH_WRITE), PARALLEL, async (batch) => {
      const patience = new Patience(this.#parts.retryMs);
      for (let left = batch; ;) {
        const { UnprocessedItems } = await this.#send(
          (client) => client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: left } })),
          patience,
        );
        const unprocessed = UnprocessedItems?.[tableName] ?? [];
        if (unprocessed.length === 0) return;
        await this.#pause(patience, unprocessed.length < left.length);
        left = unprocessed;
      }
    });
  }

  /** Before unprocessed parts are sent again: DynamoDB was too busy for them. */
  async #pause(patience: Patience, progressed: boolean): Promise<void> {
    if (progressed) patience.progress();
    if (await patience.another()) return;
    throw new SaverError(
      "BACKEND_UNAVAILABLE",
      `DynamoDB left parts of a batch for table "${this.#parts.tableName}" unprocessed for ${patience.limitMs} ms. ` +
        "Check its capacity; the call can be made again.",
    );
  }

  async #send<Output extends object>(
    request: (client: DynamoDBClient, tableName: string) => Promise<Output>,
    patience = new Patience(this.#parts.retryMs),
  ): Promise<Output> {
    const { client, tableName } = this.#parts;
    const place = `table "${tableName}"`;
    const attempt = (): Promise<Output> =>
      retrying(patience, "DynamoDB", place, () => request(client, tableName));
    try {
      return await attempt().catch(async (error: unknown) => {
        if (errorName(error) !== "ResourceNotFoundException") throw error;
        await this.#parts.onMissing();
        return attempt();
      });
    } catch (error) {
      if (isConditionFailure(error)) throw error;
      throw translate(error, "DynamoDB", place);
    }
  }
}

export function isConditionFailure(error: unknown): error is { Item?: Item } {
  return errorName(error) === "ConditionalCheckFailedException";
}

function marshallKey({ PK, SK }: ItemKey): Item {
  return { PK: { S: PK }, SK: { S: SK } };
}

export function keyOfItem(item: Item): ItemKey {
  return { PK: item["PK"]!.S!, SK: item["SK"]!.S! };
}

function slices<T>(items: readonly T[], size: number): T[][] {
  const result: T[][] = [];
  for (let at = 0; at < items.length; at += size) result.push(items.slice(at, at + size));
  return result;
}
