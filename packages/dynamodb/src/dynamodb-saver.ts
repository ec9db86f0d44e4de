import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SaverError, StoreSaver } from "@langgraph-savers/core";

import { checkOptions, type DynamoDBSaverOptions } from "./options.js";
import { checkLifecycle } from "./s3/lifecycle.js";
import { Objects } from "./s3/objects.js";
import { Packs } from "./s3/packs.js";
import { DynamoStore } from "./store/dynamo-store.js";
import type { Lookup } from "./store/lookup.js";
import { RUN_INDEX, THREAD_INDEX } from "./table/indexes.js";
import { TableSetup } from "./table/setup.js";
import { Table } from "./table/table.js";

/** Keeps checkpoints in one DynamoDB table, values of any size included. */
export class DynamoDBSaver extends StoreSaver {
  readonly #setUp: () => Promise<void>;

  constructor(options: DynamoDBSaverOptions) {
    const checked = checkOptions(options);
    const { tableName, retryMs, threadIndex, runIndex, scan, pointInTimeRecovery, kmsKeyId, ttl } = checked;
    const client = checked.client ?? new DynamoDBClient(checked.clientConfig ?? {});
    const indexes = [...(threadIndex ? [THREAD_INDEX] : []), ...(runIndex ? [RUN_INDEX] : [])];
    const shape = { indexes, pointInTimeRecovery, kmsKeyId };
    const lookup = (isIndexed: boolean): Lookup => (isIndexed ? "index" : scan ? "scan" : "none");
    const setup = new TableSetup({ client, tableName, retryMs, shape });
    let creating: Promise<void> | undefined;
    const create = (): Promise<void> => (creating ??= setup.complete().finally(() => (creating = undefined)));
    const onMissing = checked.createTable ? create : () => Promise.reject(missing(tableName));
    const objects = checked.s3 && new Objects(checked.s3, retryMs);
    const store = new DynamoStore({
      table: new Table({ client, tableName, retryMs, onMissing }),
      ttlSeconds: ttl,
      lookup: { threads: lookup(threadIndex), runs: lookup(runIndex) },
      packs:
        objects &&
        new Packs(objects, { tableName, minBytes: checked.s3?.minBytes, expire: ttl !== undefined }),
      onClose: () => {
        objects?.close();
        if (checked.client === undefined) client.destroy();
      },
    });
    super(store, checked);
    this.#setUp = async () => {
      await setup.complete();
      if (objects !== undefined && ttl !== undefined) await checkLifecycle(objects, checked.s3!, ttl);
    };
  }

  /**
   * Creates the table with its index, time to live and backups, or checks the one that is there and says what differs.
   * With `s3` and `ttl` it also checks that the bucket removes what has expired.
   * For deployments: a saver that finds no table creates it by itself, unless `createTable` is false.
   */
  override async setup(): Promise<void> {
    await super.setup();
    await this.#setUp();
  }
}

function missing(tableName: string): SaverError {
  return new SaverError(
    "SETUP_REQUIRED",
    `Table "${tableName}" does not exist in this account and region. Call setup(), or create it as the README shows.`,
  );
}
