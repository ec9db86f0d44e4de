import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";

import { meter, tableBytes } from "./dynamodb-meter.js";
import { nothing, type Opened, type Place } from "./subject.js";

/** Both savers have the same keys; neither has to create its table while the clock runs. */
async function connect({ dynamodbEndpoint, name }: Place) {
  const client = new DynamoDBClient({
    endpoint: dynamodbEndpoint,
    region: "eu-central-1",
    credentials: { accessKeyId: "bench", secretAccessKey: "bench" },
  });
  await createTable(client, name);
  const counts = meter(client);
  return {
    client,
    counts,
    stored: () => tableBytes(client, name),
    close: async () => client.destroy(),
    async remove() {
      await client.send(new DeleteTableCommand({ TableName: name }));
    },
  };
}

export async function openOurs(place: Place): Promise<Opened> {
  const { DynamoDBSaver } = await import("@langgraph-savers/dynamodb");
  const { client, ...rest } = await connect(place);
  const open = () => new DynamoDBSaver({ client, tableName: place.name });
  const cold = async () => ({ saver: open(), close: nothing });
  return { saver: open(), cold, ...rest };
}

export async function openDlcaio(place: Place): Promise<Opened> {
  const { DynamoDBSaver } = await import("@dlcaio/langgraph-checkpoint-dynamodb");
  const { DynamoDBDocumentClient } = await import("@aws-sdk/lib-dynamodb");
  const { client, ...rest } = await connect(place);
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const open = () => new DynamoDBSaver({ client: documents, tableName: place.name });
  const cold = async () => ({ saver: open(), close: nothing });
  return { saver: open(), cold, ...rest };
}

async function createTable(client: DynamoDBClient, TableName: string): Promise<void> {
  try {
    await client.send(
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
  } catch (error) {
    if ((error as Error).name !== "ResourceInUseException") throw error;
  }
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1, maxDelay: 1 }, { TableName });
}
