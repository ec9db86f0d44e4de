import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { S3_CREDENTIALS } from "@langgraph-savers/test/servers";
import { inject } from "vitest";

import type { S3Options } from "../../src/index.js";
import { BUCKET } from "./bucket.js";

export function testS3Client(): S3Client {
  return new S3Client({
    endpoint: inject("s3"),
    region: "eu-central-1",
    credentials: S3_CREDENTIALS,
    forcePathStyle: true,
    // s3rver is older than the checksums that the driver sends unasked.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
}

/** Everything that is chunked goes to S3. */
export function s3Options(client = testS3Client(), prefix = `${process.pid}/`): S3Options {
  return { bucket: BUCKET, prefix, client, minBytes: 0 };
}

export async function objectKeys(prefix: string): Promise<string[]> {
  const { Contents = [] } = await testS3Client().send(
    new ListObjectsV2Command({ Bucket: BUCKET, Prefix: prefix }),
  );
  return Contents.map(({ Key }) => Key!);
}
