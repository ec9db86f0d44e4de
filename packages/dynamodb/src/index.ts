export { DynamoDBSaver } from "./dynamodb-saver.js";
export type { DynamoDBSaverOptions } from "./options.js";
export type { S3Options } from "./s3/objects.js";
