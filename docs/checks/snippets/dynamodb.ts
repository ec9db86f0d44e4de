import { DynamoDBSaver } from "@langgraph-savers/dynamodb";

const tableName = "langgraph-checkpoints";
