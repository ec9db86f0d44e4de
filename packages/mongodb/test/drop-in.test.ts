import {
  MongoDBSaver as OfficialSaver,
  type MongoDBSaverParams as OfficialParams,
} from "@langchain/langgraph-checkpoint-mongodb";
import { MemorySaver, type BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import type { MongoClient as MongoClient6 } from "mongodb6";
import { describe, expect, expectTypeOf, it } from "vitest";

import { MongoDBSaver, type MongoDBSaverParams } from "../src/index.js";
import { checkpoint, config, idOf, metadata } from "@langgraph-savers/test/checkpoints";
import { place } from "./support/place.js";

/** What is not a matter of which of the two drivers the types are from. */
type Fields<P> = Omit<P, "client">;

describe("in place of the official saver", () => {
  it("takes all that its constructor takes, under the same names and of the same types", () => {
    expectTypeOf<Required<Fields<OfficialParams>>>().toExtend<Partial<MongoDBSaverParams>>();
    expectTypeOf<keyof OfficialParams>().toExtend<keyof MongoDBSaverParams>();
    expectTypeOf<ConstructorParameters<typeof MongoDBSaver>[1]>().toEqualTypeOf<
      ConstructorParameters<typeof OfficialSaver>[1]
    >();
    // The official saver's own driver is 6; the saver takes clients of both.
    expectTypeOf<OfficialParams["client"]>().toEqualTypeOf<MongoClient6>();
    expect(MongoDBSaver.name).toBe(OfficialSaver.name);
  });

  it("has its methods, with its parameters and what they return", () => {
    type Method = "getTuple" | "list" | "putWrites" | "deleteThread";
    expectTypeOf<Pick<MongoDBSaver, Method>>().toExtend<Pick<OfficialSaver, Method>>();
    expectTypeOf<MongoDBSaver>().toExtend<BaseCheckpointSaver>();
    // That one's `setup` resolves to the errors of what failed; this one rejects.
    expectTypeOf<MongoDBSaver["setup"]>().returns.toEqualTypeOf<Promise<void>>();
    const methods = Object.getOwnPropertyNames(OfficialSaver.prototype).filter(
      (name) => name !== "timestampOp",
    );
    expect(methods).toContain("putWrites");
    for (const method of methods) expect(MongoDBSaver.prototype).toHaveProperty(method);
  });

  it("works as its users make and use one", async () => {
    const here = place();
    const params: Fields<OfficialParams> = {
      dbName: here.dbName,
      checkpointCollectionName: here.collectionName,
      checkpointWritesCollectionName: `${here.collectionName}_writes`,
      enableTimestamps: true,
      ttl: 3600,
    };
    const checkpointer = new MongoDBSaver({ client: here.client, ...params }, new MemorySaver().serde);
    await checkpointer.setup();
    const stored = await checkpointer.put(config("t"), checkpoint(idOf(0), { a: 1 }), metadata(), { a: 1 });
    await checkpointer.putWrites(stored, [["a", 2]], "task");
    const tuple = await checkpointer.getTuple(config("t"));
    expect(tuple?.checkpoint.channel_values).toEqual({ a: 1 });
    expect(tuple?.pendingWrites).toEqual([["task", "a", 2]]);
    for await (const each of checkpointer.list(config("t"))) expect(each).toEqual(tuple);
    await checkpointer.deleteThread("t");
    expect(await checkpointer.getTuple(config("t"))).toBeUndefined();
  });
});
