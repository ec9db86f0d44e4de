import { startDynamoDB } from "@langgraph-savers/test/servers";
import { startMongoServer } from "@langgraph-savers/test/mongodb";
import { describe, expect, it } from "vitest";

import { run } from "./run-example.js";

describe("examples on real servers", () => {
  it("mongodb-encrypted keeps its secrets and rotates its key", async () => {
    const server = await startMongoServer();
    try {
      const output = await run("mongodb-encrypted", [], { MONGODB_URI: server.uri });
      expect(output).toMatch(/documents in the database: [1-9]\d*, with a readable secret: 0/);
      expect(output).toContain("after the rotation: secret 1, secret 2");
      expect(output).toContain("with the old key alone: ENCRYPTION_KEY_MISSING");
    } finally {
      await server.stop();
    }
  });

  it("dynamodb-lambda greets those who come back", async () => {
    const server = await startDynamoDB();
    try {
      const output = await run("dynamodb-lambda", [], { DYNAMODB_ENDPOINT: server.endpoint });
      expect(output).toContain("ada: 200 Welcome!");
      expect(output).toContain("grace: 200 Welcome!");
      expect(output).toContain("ada: 200 Welcome back, for the 2th time.");
    } finally {
      await server.stop();
    }
  });
});
