import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/**
 * DynamoDB Local has neither backups nor keys: answers in their place, and keeps what all requests asked for. `status`: of
 * backups to any point in time.
 */
export function standInForBackups(
  client: DynamoDBClient,
  status: "ENABLED" | "DISABLED" = "DISABLED",
): Record<string, unknown>[] {
  const sent: Record<string, unknown>[] = [];
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const { SSESpecification: _, ...rest } = args.input as { SSESpecification?: object };
        sent.push({ commandName, ...args.input });
        if (String(commandName).includes("ContinuousBackups")) {
          const PointInTimeRecoveryDescription = { PointInTimeRecoveryStatus: status };
          const ContinuousBackupsDescription = {
            ContinuousBackupsStatus: "ENABLED",
            PointInTimeRecoveryDescription,
          };
          return { response: {}, output: { ContinuousBackupsDescription, $metadata: {} } };
        }
        const result = await next({ ...args, input: rest });
        const { Table } = result.output as { Table?: { SSEDescription?: object } };
        const created = sent.some(({ SSESpecification: asked }) => asked !== undefined);
        if (Table !== undefined && created) Table.SSEDescription = { KMSMasterKeyArn: "arn:aws:kms:::key/k" };
        return result;
      },
    { step: "initialize", name: "backups" },
  );
  return sent;
}
