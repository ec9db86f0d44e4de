import { modelSuite } from "@langgraph-savers/test";

import { faultyClient } from "../support/faults.js";
import { subject } from "../support/subject.js";

const failing = subject(
  "DynamoDBSaver on a failing DynamoDB",
  "dynamodb",
  undefined,
  () => faultyClient(20_261).client,
);

modelSuite(failing, { runs: 8 });
