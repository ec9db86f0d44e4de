import { setTimeout as sleep } from "node:timers/promises";

import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  ScanCommand,
  type DynamoDBClient,
} from "@aws-sdk/client-dynamodb";

import { newTableName } from "./client.js";

const BATCH = 25;
/** To drop a table and create another takes as long as to delete some hundred items. */
const MOST_BATCHES = 12;

/** Tables to use again: emptying a small one is much faster than to drop it and create another. */
export class TablePool {
  readonly #client: DynamoDBClient;
  readonly #free: string[] = [];
  readonly #taken = new Set<string>();

  constructor(client: DynamoDBClient) {
    this.#client = client;
  }

  /** `create`: make the table; else the saver does it when it needs it. */
  async take({ create }: { create: boolean }): Promise<string> {
    const free = this.#free.pop();
    const name = free ?? newTableName();
    this.#taken.add(name);
    if (free === undefined && create) await this.#create(name);
    return name;
  }

  /** Does nothing the second time: savers that share a table each give it back. */
  async giveBack(TableName: string): Promise<void> {
    if (!this.#taken.delete(TableName)) return;
    try {
      const scan = new ScanCommand({
        TableName,
        ProjectionExpression: "PK, SK",
        Limit: BATCH * MOST_BATCHES,
        ConsistentRead: true,
      });
      const { Items = [], LastEvaluatedKey } = await this.#client.send(scan);
      if (LastEvaluatedKey !== undefined) {
        await this.#client.send(new DeleteTableCommand({ TableName }));
        return;
      }
      const requests = Items.map((Key) => ({ DeleteRequest: { Key } }));
      for (let at = 0; at < requests.length; at += BATCH) {
        const RequestItems = { [TableName]: requests.slice(at, at + BATCH) };
        await this.#client.send(new BatchWriteItemCommand({ RequestItems }));
      }
      this.#free.push(TableName);
    } catch (error) {
      if ((error as Error).name !== "ResourceNotFoundException") throw error;
    }
  }

  async #create(TableName: string): Promise<void> {
    await this.#client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: [
          { AttributeName: "PK", AttributeType: "S" },
          { AttributeName: "SK", AttributeType: "S" },
        ],
        KeySchema: [
          { AttributeName: "PK", KeyType: "HASH" },
          { AttributeName: "SK", KeyType: "RANGE" },
        ],
      }),
    );
    while (!(await this.#isActive(TableName))) await sleep(5);
  }

  async #isActive(TableName: string): Promise<boolean> {
    const { Table } = await this.#client.send(new DescribeTableCommand({ TableName }));
    return Table?.TableStatus === "ACTIVE";
  }
}
