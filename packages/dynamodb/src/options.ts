import type { DynamoDBClient, DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import {
  checkOptionNames,
  InvalidInputError,
  refuseOtherNames,
  type SaverOptions,
} from "@langgraph-savers/core";

import type { S3Options } from "./s3/objects.js";

export interface DynamoDBSaverOptions extends SaverOptions {
  /** The table; one can hold any number of threads. */
  tableName: string;
  /** A client of yours, which `close()` leaves open. */
  client?: DynamoDBClient;
  /** Or what to make one with: region, endpoint, credentials. Default: what the environment says. */
  clientConfig?: DynamoDBClientConfig;
  /** Create the table when a request finds none. Default true; false makes that the error `SETUP_REQUIRED`. */
  createTable?: boolean;
  /** Threads expire when nothing was put for this many seconds. Default: never. */
  ttl?: number;
  /** Keep the sparse index `threads`, so that `listThreads` and `list` of all threads need not scan. One write unit a put. */
  threadIndex?: boolean;
  /** Keep the sparse index `runs`, so that `deleteForRuns` need not scan. One write unit a put of a run. */
  runIndex?: boolean;
  /** Without the index that a call needs: let it scan the whole table. */
  scan?: boolean;
  /** `setup()` turns on backups to any point in time. */
  pointInTimeRecovery?: boolean;
  /** `setup()` encrypts a new table with this KMS key (id, ARN or alias). */
  kmsKeyId?: string;
  /** Keep large values in S3 instead of the table. Together with `ttl` the bucket needs a lifecycle rule. */
  s3?: S3Options;
  /** How long throttled and failing requests are repeated, in milliseconds. Default 30,000. */
  retryMs?: number;
}

const DEFAULT_RETRY_MS = 30_000;

type Flag = "createTable" | "threadIndex" | "runIndex" | "scan" | "pointInTimeRecovery";
type Checked = Required<Pick<DynamoDBSaverOptions, Flag | "retryMs">>;

export function checkOptions(options: DynamoDBSaverOptions): DynamoDBSaverOptions & Checked {
  checkOptionNames("DynamoDBSaver", options, {
    tableName: true,
    client: true,
    clientConfig: true,
    createTable: true,
    ttl: true,
    threadIndex: true,
    runIndex: true,
    scan: true,
    pointInTimeRecovery: true,
    kmsKeyId: true,
    s3: true,
    retryMs: true,
  });
  const { tableName, client, clientConfig, ttl, kmsKeyId, retryMs = DEFAULT_RETRY_MS } = options;
  if (typeof tableName !== "string" || !/^([\w.-]{3,255}|arn:[\w:/.-]{10,1000})$/.test(tableName))
    throw invalid(
      "`tableName` must be 3 to 255 characters of a-z, A-Z, 0-9, `_`, `-` and `.`, or a table's ARN",
    );
  if (client !== undefined && clientConfig !== undefined)
    throw invalid("pass `client` or `clientConfig`, not both");
  if (client !== undefined && typeof (client as { send?: unknown }).send !== "function")
    throw invalid("`client` must be a DynamoDBClient of @aws-sdk/client-dynamodb");
  if (ttl !== undefined && !(typeof ttl === "number" && Number.isFinite(ttl) && ttl > 0))
    throw invalid("`ttl` must be a number of seconds, more than 0");
  if (!(typeof retryMs === "number" && Number.isFinite(retryMs) && retryMs >= 0))
    throw invalid("`retryMs` must be a number of milliseconds, 0 or more");
  if (kmsKeyId !== undefined && (typeof kmsKeyId !== "string" || kmsKeyId === ""))
    throw invalid("`kmsKeyId` must be a key id, an ARN or an alias");
  if (options.s3 !== undefined) checkS3(options.s3);
  const flags: Record<Flag, boolean> = {
    createTable: true,
    threadIndex: false,
    runIndex: false,
    scan: false,
    pointInTimeRecovery: false,
  };
  for (const name of Object.keys(flags) as Flag[]) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== "boolean") throw invalid(`\`${name}\` must be true or false`);
    flags[name] = value ?? flags[name];
  }
  return { ...options, ...flags, retryMs };
}

function checkS3(options: S3Options): void {
  refuseOtherNames("`s3`", options, ["bucket", "prefix", "client", "clientConfig", "minBytes"]);
  const { bucket, prefix, client, clientConfig, minBytes } = options;
  if (typeof bucket !== "string" || bucket === "") throw invalid("`s3.bucket` must be the name of a bucket");
  if (prefix !== undefined && typeof prefix !== "string") throw invalid("`s3.prefix` must be a string");
  if (client !== undefined && clientConfig !== undefined)
    throw invalid("pass `s3.client` or `s3.clientConfig`, not both");
  if (minBytes !== undefined && !(typeof minBytes === "number" && minBytes >= 0))
    throw invalid("`s3.minBytes` must be a number of bytes, 0 or more");
}

function invalid(what: string): InvalidInputError {
  return new InvalidInputError("INVALID_OPTION", `Invalid option: ${what}.`);
}
