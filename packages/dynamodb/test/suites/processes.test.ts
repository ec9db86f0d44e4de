import { leaseSuite, stressSuite, type SharedStore } from "@langgraph-savers/test/processes";
import { inject } from "vitest";

import { newTableName } from "../support/client.js";

/** A table that several processes use at once. */
const sharedTable: SharedStore = {
  name: "DynamoDBSaver",
  openModule: new URL("../support/open.mjs", import.meta.url).href,
  create: async () => {
    const accessKeyId = `shared${process.pid}`;
    // In a database of its own, which ends with the server.
    const place = { tableName: newTableName(), endpoint: inject("dynamodb"), accessKeyId };
    return { place, destroy: async () => {} };
  },
};

stressSuite(sharedTable);
leaseSuite(sharedTable, 300);
