import { randomUUID } from "node:crypto";

import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type AttributeValue,
  type DeleteItemCommandInput,
  type DynamoDBClient,
  type PutItemCommandInput,
  type QueryCommandInput,
  type ScanCommandInput,
  type TransactWriteItem,
  type UpdateItemCommandInput,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import { SaverError } from "@langgraph-savers/core";

import { errorName, translate } from "../errors.js";
import { inParallel, Patience, retrying } from "../retry.js";
import { afterFailure, type Check } from "./transactions.js";

export type Item = Record<string, AttributeValue>;

/** The two keys of an item. */
export interface ItemKey {
  PK: string;
  SK: string;
}

/** A range of sort keys, both ends included. */
export interface KeyRange {
  from: string;
  to: string;
}

export interface ItemPage {
  items: Item[];
  /** Where the next page starts; absent on the last one. */
  next?: Item;
}

type Own<Input> = Omit<Input, "TableName">;
export type PutCondition = Own<Omit<PutItemCommandInput, "Item">>;
export type UpdateInput = Own<Omit<UpdateItemCommandInput, "Key">>;

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

  async put(item: Item, condition: PutCondition = {}): Promise<void> {
    await this.#send((client, TableName) =>
      client.send(new PutItemCommand({ TableName, Item: item, ...condition })),
    );
  }

  /** The attributes that `ReturnValues` asks for. */
  async update(key: ItemKey, input: UpdateInput): Promise<Item | undefined> {
    const { Attributes } = await this.#send((client, TableName) =>
      client.send(new UpdateItemCommand({ TableName, Key: marshallKey(key), ...input })),
    );
    return Attributes;
  }

  async delete(key: ItemKey, condition: Own<Omit<DeleteItemCommandInput, "Key">>): Promise<void> {
    await this.#send((client, TableName) =>
      client.send(new DeleteItemCommand({ TableName, Key: marshallKey(key), ...condition })),
    );
  }

  /** The put, if all checks hold at that moment; false: one does not. Fails as `put` does if its own condition does not hold. */
  async checkedPut(checks: readonly Check[], item: Item, condition: PutCondition): Promise<boolean> {
    return this.#checked(checks, (TableName) => ({ Put: { TableName, Item: item, ...condition } }));
  }

  /** The same for an update. */
  async checkedUpdate(checks: readonly Check[], key: ItemKey, input: UpdateInput): Promise<boolean> {
    const { UpdateExpression, ReturnValues: _, ...rest } = input;
    return this.#checked(checks, (TableName) => ({
      Update: { TableName, Key: marshallKey(key), UpdateExpression, ...rest },
    }));
  }

  async #checked(
    checks: readonly Check[],
    write: (tableName: string) => TransactWriteItem,
  ): Promise<boolean> {
    // One token for all attempts: an earlier one that was applied, though no answer came, counts.
    const ClientRequestToken = randomUUID();
    const place = `table "${this.#parts.tableName}"`;
    const { held } = await this.#send(async (client, TableName) => {
      const guards = checks.map(({ key, ...condition }) => ({
        ConditionCheck: { TableName, Key: marshallKey(key), ...condition },
      }));
      const TransactItems = [...guards, write(TableName)];
      try {
        await client.send(new TransactWriteItemsCommand({ TransactItems, ClientRequestToken }));
        return { held: true };
      } catch (error) {
        return { held: afterFailure(error, checks.length, place) };
      }
    });
    return held;
  }

  async query(input: Own<QueryCommandInput>): Promise<ItemPage> {
    const { Items = [], LastEvaluatedKey } = await this.#send((client, TableName) =>
      client.send(new QueryCommand({ TableName, ConsistentRead: true, ...input })),
    );
    return LastEvaluatedKey === undefined ? { items: Items } : { items: Items, next: LastEvaluatedKey };
  }

  /** The items of a partition in a range of sort keys, ascending, page by page; only these attributes, if told. */
  async *range(PK: string, { from, to }: KeyRange, attributes?: readonly string[]): AsyncGenerator<Item[]> {
    yield* pages((start) =>
      this.query({
        KeyConditionExpression: "PK = :pk AND SK BETWEEN :from AND :to",
        ExpressionAttributeValues: { ":pk": { S: PK }, ":from": { S: from }, ":to": { S: to } },
        ...projection(attributes),
        ...start,
      }),
    );
  }

  /** Whether there is anything in the range: its first item. */
  async first(PK: string, { from, to }: KeyRange): Promise<Item | undefined> {
    const { items } = await this.query({
      KeyConditionExpression: "PK = :pk AND SK BETWEEN :from AND :to",
      ExpressionAttributeValues: { ":pk": { S: PK }, ":from": { S: from }, ":to": { S: to } },
      Limit: 1,
    });
    return items[0];
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

  /** The items that are there, in no particular order; only these attributes, if told. */
  async batchGet(keys: readonly ItemKey[], attributes?: readonly string[]): Promise<Item[]> {
    const batches = slices(keys.map(marshallKey), BATCH_GET);
    return (await inParallel(batches, PARALLEL, (batch) => this.#getBatch(batch, attributes))).flat();
  }

  async #getBatch(keys: Item[], attributes?: readonly string[]): Promise<Item[]> {
    const { tableName } = this.#parts;
    const patience = new Patience(this.#parts.retryMs);
    const found: Item[] = [];
    for (let left = keys; ;) {
      const request = { [tableName]: { Keys: left, ConsistentRead: true, ...projection(attributes) } };
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

/** All pages of a query or scan, one after the other; those after an item, if told. */
export async function* pages(
  read: (start: { ExclusiveStartKey?: Item }) => Promise<ItemPage>,
  after?: Item,
): AsyncGenerator<Item[]> {
  let start = after;
  do {
    const page: ItemPage = await read(start === undefined ? {} : { ExclusiveStartKey: start });
    yield page.items;
    start = page.next;
  } while (start !== undefined);
}

/** By placeholders: some of the attributes are named by words that DynamoDB keeps for itself. */
function projection(attributes: readonly string[] | undefined): {
  ProjectionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
} {
  if (attributes === undefined) return {};
  return {
    ProjectionExpression: attributes.map((_, at) => `#p${at}`).join(", "),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, at) => [`#p${at}`, name])),
  };
}

export function slices<T>(items: readonly T[], size: number): T[][] {
  const result: T[][] = [];
  for (let at = 0; at < items.length; at += size) result.push(items.slice(at, at + size));
  return result;
}
