export { startDynalite } from "./dynalite.js";
export { startDynamoDB, type DynamoDBServer } from "./dynamodb.js";
export { S3_CREDENTIALS, startS3 } from "./s3.js";
