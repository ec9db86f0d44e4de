export { startDynalite } from "./dynalite.js";
export { startDynamoDB, type DynamoDBServer } from "./dynamodb.js";
export type { TestServer } from "./kept-process.js";
