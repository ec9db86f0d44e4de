import { startMongoServer } from "@langgraph-savers/test/mongodb";
import { startDynamoDB } from "@langgraph-savers/test/servers";

export interface Servers {
  /** Puts the address of the running MongoDB where the pages name one. */
  edit: (code: string) => string;
  stop(): Promise<void>;
}

/** What the pages name: MongoDB by its usual address, DynamoDB by what the SDK reads from the environment. */
export async function startServers(): Promise<Servers> {
  const [mongodb, dynamodb] = await Promise.all([startMongoServer(), startDynamoDB()]);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
  });
  const [, address = "", query = ""] = /^([^/]+\/\/[^/?]+)[^?]*(.*)$/.exec(mongodb.uri)!;
  return {
    edit: (code) => {
      return code.replaceAll(
        /mongodb:\/\/(?:localhost|127\.0\.0\.1):27017(\/\w*)?/g,
        (_, database: string | undefined) => `${address}${database ?? "/"}${query}`,
      );
    },
    stop: async () => {
      await Promise.all([mongodb.stop(), dynamodb.stop()]);
    },
  };
}
