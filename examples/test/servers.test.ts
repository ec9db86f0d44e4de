import { startDynamoDB } from "@langgraph-savers/test/servers";
import { startMongoServer, startOwnMongoServer, type MongoServer } from "@langgraph-savers/test/mongodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { emptyFolder, run } from "./run-example.js";

describe("examples on real servers", () => {
  let mongodb: MongoServer;

  beforeAll(async () => {
    mongodb = await startMongoServer();
  });
  afterAll(() => mongodb.stop());

  it("mongodb-encrypted keeps its secrets and rotates its key", async () => {
    const output = await run("mongodb-encrypted", [], { MONGODB_URI: mongodb.uri });
    expect(output).toMatch(/documents in the database: [1-9]\d*, with a readable secret: 0/);
    expect(output).toContain("after the rotation: secret 1, secret 2");
    expect(output).toContain("with the old key alone: ENCRYPTION_KEY_MISSING");
  });

  it("move-from-official-mongodb copies what is in use, and what changed since", async () => {
    const output = await run("move-from-official-mongodb", [], { MONGODB_URI: mongodb.uri });
    expect(output).toMatch(/Copied 2 threads .*\n[^]*is the same as in the source[^]*Copied 1 thread /);
    expect(output.split("On the MongoDBSaver of this pack:")[1]).toMatch(
      /Draft 2, after: Shorter, please\. \(asks: What should be changed\?\)\n {2}lamps: {2}5 messages, finished/,
    );
  });

  it("replication-and-failover goes on while its server is down, and back", async () => {
    const server = await startOwnMongoServer();
    // The two things that the example asks of its user, each once.
    const wishes = new Map([
      ["Stop the MongoDB server now.", () => server.kill()],
      ["Start it again.", () => server.restart()],
    ]);
    const granted: Promise<void>[] = [];
    try {
      const output = await run(
        "replication-and-failover",
        [emptyFolder()],
        { MONGODB_URI: server.uri },
        (soFar) => {
          for (const [wish, grant] of wishes)
            if (soFar.includes(wish) && wishes.delete(wish)) granted.push(grant());
        },
      );
      await Promise.all(granted);
      const order = ["copied to the secondary", "failover: the secondary", "caught up", "failback"].map(
        (words) => output.indexOf(words),
      );
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      expect(order[0]).toBeGreaterThan(0);
      expect(output).toContain("0 checkpoints of it were missing or differed");
      const [, turns] = /primary +(\d+) turns/.exec(output)!;
      expect(Number(turns)).toBeGreaterThan(6);
      expect(output).toContain(`secondary  ${turns} turns`);
    } finally {
      await server.stop();
    }
  });

  it("dynamodb-lambda greets those who come back", async () => {
    const server = await startDynamoDB();
    try {
      const output = await run("dynamodb-lambda", [], {
        DYNAMODB_ENDPOINT: server.endpoint,
        // On Node 20 the SDK says when it will stop to support it.
        AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
      });
      expect(output).toContain("ada: 200 Welcome!");
      expect(output).toContain("grace: 200 Welcome!");
      expect(output).toContain("ada: 200 Welcome back. This is visit 2.");
    } finally {
      await server.stop();
    }
  });
});
