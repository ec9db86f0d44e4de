export { DynamoDBSaver } from "./dynamodb-saver.js";
export type { DynamoDBSaverOptions } from "./options.js";
