/** Where the servers are. */
export interface Servers {
  mongodb: string;
  dynamodb: string;
}

/** The environment in which programs find DynamoDB as they find it on AWS. */
export function environment({ mongodb, dynamodb }: Servers): Record<string, string> {
  return {
    MONGODB_URI: mongodb,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
  };
}

/** Puts the address of the running MongoDB where pages name the usual one. */
export function withAddress(code: string, { mongodb }: Servers): string {
  const [, address = "", query = ""] = /^([^/]+\/\/[^/?]+)[^?]*(.*)$/.exec(mongodb)!;
  return code.replaceAll(
    /mongodb:\/\/(?:localhost|127\.0\.0\.1):27017(\/\w*)?/g,
    (_, database: string | undefined) => `${address}${database ?? "/"}${query}`,
  );
}
