import type { AttributeValue, CancellationReason } from "@aws-sdk/client-dynamodb";
import { SaverError } from "@langgraph-savers/core";

import { errorName } from "../errors.js";
import type { ItemKey } from "./table.js";

/** What must hold of an item that a transaction does not change. */
export interface Check {
  key: ItemKey;
  ConditionExpression: string;
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues: Record<string, AttributeValue>;
}

/**
 * What the failure of a transaction of so many checks and one write comes to: false if a check does not hold; else what
 * the write alone would have thrown.
 */
export function afterFailure(error: unknown, checks: number, place: string): false {
  if (errorName(error) === "UnknownOperationException") throw noTransactions(place, error);
  if (errorName(error) !== "TransactionCanceledException") throw error;
  const { CancellationReasons: reasons = [] } = error as { CancellationReasons?: CancellationReason[] };
  if (reasons.slice(0, checks).some(({ Code }) => Code === "ConditionalCheckFailed")) return false;
  const { Code, Message = "", Item } = reasons[checks] ?? {};
  if (Code === "ConditionalCheckFailed") throw failure("ConditionalCheckFailedException", Message, { Item });
  if (Code === "ValidationError") throw failure("ValidationException", Message, { cause: error });
  // Another transaction, or too much traffic, on one of the items: it passes.
  throw failure("TransactionConflictException", Message, { cause: error });
}

function failure(name: string, message: string, more: object): Error {
  return Object.assign(new Error(message), { name }, more);
}

function noTransactions(place: string, cause: unknown): SaverError {
  return new SaverError(
    "BACKEND_REFUSED",
    `The server of ${place} has no transactions, which puts under a lease need. Use DynamoDB or DynamoDB Local.`,
    { cause },
  );
}
