import type * as S3 from "@aws-sdk/client-s3";
import { SaverError } from "@langgraph-savers/core";

import { errorName, translate } from "../errors.js";
import { Patience, retrying } from "../retry.js";

/** Where large values go instead of the table. */
export interface S3Options {
  /** The bucket; it must exist. */
  bucket: string;
  /** In front of every object's key, such as `checkpoints/`. Default: none. */
  prefix?: string;
  /** An `S3Client` of yours, which `close()` leaves open. */
  client?: S3ClientLike;
  /** Or what to make one with (`S3ClientConfig`). Default: what the environment says. */
  clientConfig?: object;
  /** Chunks of one put go to S3 when they add up to at least this many bytes. Default 262,144. */
  minBytes?: number;
}

/** What of an `S3Client` is used: these types must not need a package that is optional. */
interface S3ClientLike {
  send(command: never): Promise<unknown>;
}

type Driver = typeof S3;

/** The bucket's requests, with passing failures repeated. The driver is loaded by the first one. */
export class Objects {
  readonly #options: S3Options;
  readonly #retryMs: number;
  #loaded: Promise<{ driver: Driver; client: S3.S3Client }> | undefined;

  constructor(options: S3Options, retryMs: number) {
    this.#options = options;
    this.#retryMs = retryMs;
  }

  async put(key: string, data: Uint8Array): Promise<void> {
    await this.#send(({ driver, client }) =>
      client.send(
        new driver.PutObjectCommand({ ...this.#at(key), Body: data, ContentLength: data.byteLength }),
      ),
    );
  }

  /** Bytes of an object, or undefined where there is no such object. */
  async get(key: string, start: number, end: number): Promise<Uint8Array | undefined> {
    try {
      return await this.#send(async ({ driver, client }) => {
        const range = { Range: `bytes=${start}-${end - 1}` };
        const { Body } = await client.send(new driver.GetObjectCommand({ ...this.#at(key), ...range }));
        return Body!.transformToByteArray();
      });
    } catch (error) {
      if (errorName((error as Error).cause) === "NoSuchKey") return undefined;
      throw error;
    }
  }

  /** Makes the object anew, under the same key or another one: its age begins again. False: there is no such object. */
  async copy(from: string, to: string): Promise<boolean> {
    const { Bucket, Key } = this.#at(from);
    const CopySource = [Bucket, ...Key.split("/")].map(encodeURIComponent).join("/");
    try {
      await this.#send(({ driver, client }) =>
        // S3 copies an object onto itself only where something of it is said to change.
        client.send(
          new driver.CopyObjectCommand({ ...this.#at(to), CopySource, MetadataDirective: "REPLACE" }),
        ),
      );
      return true;
    } catch (error) {
      if (errorName((error as Error).cause) === "NoSuchKey") return false;
      throw error;
    }
  }

  /** The rules by which the bucket deletes objects by itself. */
  async lifecycle(): Promise<S3.LifecycleRule[]> {
    const { bucket: Bucket } = this.#options;
    try {
      const { Rules = [] } = await this.#send(({ driver, client }) =>
        client.send(new driver.GetBucketLifecycleConfigurationCommand({ Bucket })),
      );
      return Rules;
    } catch (error) {
      if (errorName((error as Error).cause) === "NoSuchLifecycleConfiguration") return [];
      throw error;
    }
  }

  async *list(folder: string): AsyncGenerator<string[]> {
    const { bucket: Bucket, prefix = "" } = this.#options;
    let token: string | undefined;
    do {
      const start = token === undefined ? {} : { ContinuationToken: token };
      const page = await this.#send(({ driver, client }) =>
        client.send(new driver.ListObjectsV2Command({ Bucket, Prefix: prefix + folder, ...start })),
      );
      yield (page.Contents ?? []).map(({ Key }) => Key!.slice(prefix.length));
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  async delete(key: string): Promise<void> {
    await this.#send(({ driver, client }) => client.send(new driver.DeleteObjectCommand(this.#at(key))));
  }

  close(): void {
    if (this.#options.client !== undefined) return;
    // One that cannot be loaded is reported by the call that needs it.
    void this.#loaded?.then(({ client }) => client.destroy()).catch(() => {});
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#options.bucket, Key: `${this.#options.prefix ?? ""}${key}` };
  }

  async #send<T>(request: (parts: { driver: Driver; client: S3.S3Client }) => Promise<T>): Promise<T> {
    const place = `bucket "${this.#options.bucket}"`;
    const parts = await this.#load();
    try {
      return await retrying(new Patience(this.#retryMs), "S3", place, () => request(parts));
    } catch (error) {
      if (errorName(error) !== "NoSuchBucket") throw translate(error, "S3", place);
      throw new SaverError(
        "SETUP_REQUIRED",
        `There is no ${place}. Create it, or name another in \`s3.bucket\`.`,
      );
    }
  }

  async #load(): Promise<{ driver: Driver; client: S3.S3Client }> {
    this.#loaded ??= loadDriver().then((driver) => ({
      driver,
      client:
        (this.#options.client as S3.S3Client | undefined) ??
        new driver.S3Client(this.#options.clientConfig ?? {}),
    }));
    try {
      return await this.#loaded;
    } catch (error) {
      this.#loaded = undefined;
      throw error;
    }
  }
}

async function loadDriver(): Promise<Driver> {
  // Within this `try` bundlers leave out a package that is not installed; elsewhere they would fail.
  try {
    return await import("@aws-sdk/client-s3");
  } catch (cause) {
    throw new SaverError(
      "SETUP_REQUIRED",
      "The option `s3` needs the package @aws-sdk/client-s3. Install it beside @aws-sdk/client-dynamodb.",
      { cause },
    );
  }
}
