import { DeleteObjectCommand, type LifecycleRule, type S3Client } from "@aws-sdk/client-s3";

import { BUCKET } from "./bucket.js";
import { objectKeys, testS3Client } from "./s3.js";

const DAY_MS = 24 * 3600 * 1000;

/** What a bucket does by itself, by the clock of the test: s3rver has no lifecycle rules. */
export class Lifecycle {
  readonly #since = new Map<string, number>();
  rules: LifecycleRule[] = [];

  /** Learns from the client's requests when objects were made, and answers for the rules. */
  constructor(client: S3Client) {
    // Requests are signed by the real clock: the server has no other.
    Object.defineProperty(client.config, "systemClockOffset", {
      get: () => performance.timeOrigin + performance.now() - Date.now(),
      set: () => {},
    });
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === "GetBucketLifecycleConfigurationCommand") {
            if (this.rules.length === 0)
              throw Object.assign(new Error("none"), { name: "NoSuchLifecycleConfiguration" });
            return { response: {}, output: { Rules: this.rules, $metadata: {} } };
          }
          const result = await next(args);
          const makes = commandName === "PutObjectCommand" || commandName === "CopyObjectCommand";
          if (makes) this.#since.set((args.input as { Key: string }).Key, Date.now());
          return result;
        },
      { step: "initialize", name: "lifecycle" },
    );
  }

  /** Deletes what is below the folder and older than so many days, to the second. */
  async sweep(folder: string, days: number): Promise<void> {
    for (const Key of await objectKeys(folder)) {
      if (Date.now() - this.#since.get(Key)! < days * DAY_MS) continue;
      await testS3Client().send(new DeleteObjectCommand({ Bucket: BUCKET, Key }));
    }
  }
}
