import {
  CreateTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  type AttributeDefinition,
  type DynamoDBClient,
  type GlobalSecondaryIndexDescription,
  type TableDescription,
} from "@aws-sdk/client-dynamodb";
import { SaverError } from "@langgraph-savers/core";

import { errorName, translate } from "../errors.js";
import { Patience, retrying } from "../retry.js";
import { INDEX_ATTRIBUTES, indexDefinition, type TableIndex } from "./indexes.js";

/** What the table is to be like. */
interface TableShape {
  indexes: readonly TableIndex[];
  pointInTimeRecovery: boolean;
  kmsKeyId: string | undefined;
}

export interface SetupParts {
  client: DynamoDBClient;
  tableName: string;
  retryMs: number;
  shape: TableShape;
}

/** A new table takes some seconds, an index over a large one takes longer: then a second call goes on waiting. */
const CREATION_MS = 120_000;

/** Creates the table and what belongs to it, or checks the one that is there. */
export class TableSetup {
  readonly #parts: SetupParts;

  constructor(parts: SetupParts) {
    this.#parts = parts;
  }

  /** Everything: table, index, time to live, backups. */
  async complete(): Promise<void> {
    await this.#translated(async () => {
      if ((await this.#describe()) === undefined) await this.#create();
      let table = await this.#active();
      this.#check(table);
      // DynamoDB adds one at a time.
      for (const index of this.#parts.shape.indexes) table = await this.#withIndex(table, index);
      await this.#enableTimeToLive();
      if (this.#parts.shape.pointInTimeRecovery) await this.#enableRecovery();
    });
  }

  async #describe(): Promise<TableDescription | undefined> {
    const { client, tableName: TableName } = this.#parts;
    try {
      const { Table } = await this.#retrying(() => client.send(new DescribeTableCommand({ TableName })));
      return Table;
    } catch (error) {
      if (errorName(error) === "ResourceNotFoundException") return undefined;
      throw error;
    }
  }

  async #create(): Promise<void> {
    const { client, tableName: TableName, shape } = this.#parts;
    const command = new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [
        { AttributeName: "PK", AttributeType: "S" },
        { AttributeName: "SK", AttributeType: "S" },
        ...shape.indexes.map(keyAttribute),
      ],
      KeySchema: [
        { AttributeName: "PK", KeyType: "HASH" },
        { AttributeName: "SK", KeyType: "RANGE" },
      ],
      ...(shape.indexes.length === 0 ? {} : { GlobalSecondaryIndexes: shape.indexes.map(indexDefinition) }),
      ...(shape.kmsKeyId === undefined
        ? {}
        : { SSESpecification: { Enabled: true, SSEType: "KMS", KMSMasterKeyId: shape.kmsKeyId } }),
    });
    try {
      await this.#retrying(() => client.send(command));
    } catch (error) {
      // Another process was faster.
      if (errorName(error) !== "ResourceInUseException") throw error;
    }
  }

  async #active(): Promise<TableDescription> {
    const patience = new Patience(CREATION_MS);
    for (;;) {
      const table = await this.#describe();
      const found =
        table === undefined ? [] : this.#parts.shape.indexes.map((index) => indexOf(table, index));
      const indexStatus =
        found.find((index) => (index?.IndexStatus ?? "ACTIVE") !== "ACTIVE")?.IndexStatus ?? "ACTIVE";
      if (table?.TableStatus === "ACTIVE" && indexStatus === "ACTIVE") return table;
      if (await patience.another()) continue;
      throw new SaverError(
        "BACKEND_UNAVAILABLE",
        `Table "${this.#parts.tableName}" is still ${table?.TableStatus ?? "missing"}, its index ${indexStatus}, ` +
          `after ${CREATION_MS} ms. Call setup() again later.`,
      );
    }
  }

  #check(table: TableDescription): void {
    const differences = differencesOf(table, this.#parts.shape);
    if (differences.length === 0) return;
    throw new SaverError(
      "SETUP_MISMATCH",
      `Table "${this.#parts.tableName}" cannot be used: ${differences.join("; ")}. ` +
        "Use another table name, or create the table as the README shows.",
    );
  }

  async #withIndex(table: TableDescription, index: TableIndex): Promise<TableDescription> {
    const { client, tableName: TableName } = this.#parts;
    if (indexOf(table, index) !== undefined) return table;
    const command = new UpdateTableCommand({
      TableName,
      AttributeDefinitions: [...(table.AttributeDefinitions ?? []), keyAttribute(index)],
      GlobalSecondaryIndexUpdates: [{ Create: indexDefinition(index) }],
    });
    try {
      await this.#retrying(() => client.send(command));
    } catch (error) {
      if (indexOf(await this.#active(), index) === undefined) throw error;
    }
    return this.#active();
  }

  async #enableTimeToLive(): Promise<void> {
    const { client, tableName: TableName } = this.#parts;
    if (await this.#hasTimeToLive()) return;
    const TimeToLiveSpecification = { Enabled: true, AttributeName: "ttl" };
    try {
      await this.#retrying(() =>
        client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification })),
      );
    } catch (error) {
      // Refused when another process did it at the same moment.
      if (errorName(error) !== "ValidationException" || !(await this.#hasTimeToLive())) throw error;
    }
  }

  async #hasTimeToLive(): Promise<boolean> {
    const { client, tableName: TableName } = this.#parts;
    const { TimeToLiveDescription: found } = await this.#retrying(() =>
      client.send(new DescribeTimeToLiveCommand({ TableName })),
    );
    const enabled = found?.TimeToLiveStatus === "ENABLED" || found?.TimeToLiveStatus === "ENABLING";
    if (!enabled || found.AttributeName === "ttl") return enabled;
    throw new SaverError(
      "SETUP_MISMATCH",
      `Table "${TableName}" has time to live on the attribute ${JSON.stringify(found.AttributeName)}; this saver needs it on "ttl".`,
    );
  }

  async #enableRecovery(): Promise<void> {
    const { client, tableName: TableName } = this.#parts;
    const { ContinuousBackupsDescription: found } = await this.#retrying(() =>
      client.send(new DescribeContinuousBackupsCommand({ TableName })),
    );
    if (found?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === "ENABLED") return;
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
    await this.#retrying(() =>
      client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification })),
    );
  }

  #retrying<T>(attempt: () => Promise<T>): Promise<T> {
    return retrying(new Patience(this.#parts.retryMs), "DynamoDB", this.#place, attempt);
  }

  async #translated(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw translate(error, "DynamoDB", this.#place);
    }
  }

  get #place(): string {
    return `the set-up of table "${this.#parts.tableName}"`;
  }
}

function keyAttribute({ key }: TableIndex): AttributeDefinition {
  return { AttributeName: key, AttributeType: "S" };
}

function indexOf(table: TableDescription, { name }: TableIndex): GlobalSecondaryIndexDescription | undefined {
  return table.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === name);
}

/** In words, what of the table is not as the saver needs it. */
function differencesOf(table: TableDescription, shape: TableShape): string[] {
  const differences = keyDifferences("its", table.KeySchema, table, [
    ["PK", "HASH"],
    ["SK", "RANGE"],
  ]);
  for (const index of shape.indexes) {
    const found = indexOf(table, index);
    if (found === undefined) continue;
    const wanted: [string, string][] = [
      [index.key, "HASH"],
      ["PK", "RANGE"],
    ];
    differences.push(...keyDifferences(`index "${index.name}":`, found.KeySchema, table, wanted));
    const projected = found.Projection?.NonKeyAttributes ?? [];
    const lacks = INDEX_ATTRIBUTES.filter((name) => !projected.includes(name));
    if (found.Projection?.ProjectionType !== "ALL" && lacks.length > 0)
      differences.push(`index "${index.name}" does not project ${lacks.join(", ")}`);
  }
  const key = table.SSEDescription?.KMSMasterKeyArn;
  if (shape.kmsKeyId !== undefined && key === undefined)
    differences.push("it is not encrypted with a KMS key of yours, as the option `kmsKeyId` asks");
  return differences;
}

function keyDifferences(
  what: string,
  schema: TableDescription["KeySchema"],
  table: TableDescription,
  wanted: [name: string, kind: string][],
): string[] {
  const differences: string[] = [];
  for (const [name, kind] of wanted) {
    const role = kind === "HASH" ? "partition key" : "sort key";
    const found = schema?.find(({ KeyType }) => KeyType === kind)?.AttributeName;
    if (found !== name) {
      differences.push(
        `${what} ${role} is ${found === undefined ? "missing" : JSON.stringify(found)}, not "${name}"`,
      );
      continue;
    }
    const type = table.AttributeDefinitions?.find(
      ({ AttributeName }) => AttributeName === name,
    )?.AttributeType;
    if (type !== "S") differences.push(`${what} ${role} "${name}" is of type ${type ?? "unknown"}, not S`);
  }
  return differences;
}
