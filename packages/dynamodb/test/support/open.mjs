// How the processes of a test open a table that they share.
import { DynamoDBSaver } from "@langgraph-savers/dynamodb";

/** @param {{ tableName: string, endpoint: string, accessKeyId: string }} place */
export function open({ tableName, endpoint, accessKeyId }) {
  const credentials = { accessKeyId, secretAccessKey: "test" };
  return new DynamoDBSaver({
    tableName,
    clientConfig: { endpoint, region: "eu-central-1", credentials },
    scan: true,
  });
}
