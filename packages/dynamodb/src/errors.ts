import { InvalidInputError, isSaverError, SaverError } from "@langgraph-savers/core";

/** The request reached DynamoDB but it was too busy, or it may never have got there: worth another try. */
const TRANSIENT = new Set([
  "ProvisionedThroughputExceededException",
  "ThrottlingException",
  "Throttling",
  "RequestLimitExceeded",
  "LimitExceededException",
  "InternalServerError",
  "InternalFailure",
  "ServiceUnavailable",
  "ServiceUnavailableException",
  "SlowDown",
  "TransactionConflictException",
  "TransactionInProgressException",
  "ReplicatedWriteConflictException",
  "RequestTimeout",
  "RequestTimeoutException",
  "TimeoutError",
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

const REFUSED = new Set([
  "AccessDenied",
  "AccessDeniedException",
  "AllAccessDisabled",
  "CredentialsProviderError",
  "ExpiredToken",
  "ExpiredTokenException",
  "IncompleteSignature",
  "IncompleteSignatureException",
  "InvalidAccessKeyId",
  "InvalidClientTokenId",
  "InvalidSignatureException",
  "MissingAuthenticationToken",
  "MissingAuthenticationTokenException",
  "NotAuthorized",
  "OptInRequired",
  "SignatureDoesNotMatch",
  "UnrecognizedClientException",
]);

interface DriverError {
  name?: unknown;
  code?: unknown;
  message?: unknown;
  $metadata?: { httpStatusCode?: number };
  $retryable?: unknown;
}

export function errorName(error: unknown): string {
  const { name } = (error ?? {}) as DriverError;
  return typeof name === "string" ? name : "Error";
}

export function messageOf(error: unknown): string {
  const { message } = (error ?? {}) as DriverError;
  return typeof message === "string" ? message : "";
}

export function isTransient(error: unknown): boolean {
  if (isSaverError(error)) return false;
  const { name, code, $metadata, $retryable } = (error ?? {}) as DriverError;
  if ([name, code].some((each) => typeof each === "string" && TRANSIENT.has(each))) return true;
  return ($metadata?.httpStatusCode ?? 0) >= 500 || $retryable !== undefined;
}

/** What the driver threw, as an error of the pack. Its own words stay in `cause`: they may quote keys and account ids. */
export function translate(error: unknown, service: string, place: string, waitedMs?: number): unknown {
  if (isSaverError(error)) return error;
  if (messageOf(error) === "Region is missing")
    return new InvalidInputError(
      "INVALID_OPTION",
      `No region is set for ${service}, so that ${place} cannot be found. Pass \`clientConfig: { region }\`, or set AWS_REGION.`,
    );
  const name = errorName(error);
  const cause = withoutResponse(error);
  if (REFUSED.has(name) || REFUSED.has(String((error as DriverError).code))) {
    return new SaverError(
      "ACCESS_DENIED",
      `${service} refused the credentials or the permission for ${place} (${name}). ` +
        "Check the credentials, and compare the policy with the one in the README.",
      { cause },
    );
  }
  if (waitedMs !== undefined) {
    return new SaverError(
      "BACKEND_UNAVAILABLE",
      `${service} did not take a request for ${place} within ${waitedMs} ms (${name}). ` +
        "Check the network and the capacity; the call can be made again.",
      { cause },
    );
  }
  if (name === "ValidationException" && /\bkeys?\b|schema|index/i.test(messageOf(error))) {
    return new SaverError(
      "SETUP_MISMATCH",
      `${place} does not have the keys or the index that this saver needs. Call setup() to hear what differs.`,
      { cause },
    );
  }
  return new SaverError("BACKEND_UNAVAILABLE", `${service} refused a request for ${place} (${name}).`, {
    cause,
  });
}

/** The driver keeps the response in its errors, and with it the request's authorization and session token. */
function withoutResponse(error: unknown): unknown {
  if (!(error instanceof Error) || !("$response" in error)) return error;
  const { name, message, stack, $metadata, code } = error as Error & DriverError;
  const copy = Object.assign(new Error(message), {
    name,
    $metadata,
    ...(code === undefined ? {} : { code }),
  });
  if (stack !== undefined) copy.stack = stack;
  return copy;
}
