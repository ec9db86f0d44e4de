import { startMongoServer } from "@langgraph-savers/test/mongodb";
import { startDynamoDB } from "@langgraph-savers/test/servers";

import type { Group } from "../subjects/registry.js";

export interface Servers {
  /** Those of the wanted groups that can be run. */
  groups: Set<Group>;
  mongodbUri: string;
  dynamodbEndpoint: string;
  stop: () => Promise<void>;
}

/** What the groups need. A group whose server cannot be had is left out, and the run goes on. */
export async function startServers(wanted: readonly Group[], leftOut: string[]): Promise<Servers> {
  const groups = new Set(wanted);
  const start = async <T>(group: Group, server: () => Promise<T>): Promise<T | undefined> => {
    if (!groups.has(group)) return undefined;
    try {
      return await server();
    } catch (error) {
      groups.delete(group);
      leftOut.push(`All of ${group}, because its server did not start. ${(error as Error).message}`);
      return undefined;
    }
  };
  const mongodb = await start("mongodb", startMongoServer);
  const dynamodb = await start("dynamodb", startDynamoDB);
  if (dynamodb?.kind === "dynalite")
    leftOut.push("DynamoDB Local, for want of Java 17: dynalite stood in for it.");
  return {
    groups,
    mongodbUri: mongodb?.uri ?? "",
    dynamodbEndpoint: dynamodb?.endpoint ?? "",
    async stop() {
      await mongodb?.stop();
      await dynamodb?.stop();
    },
  };
}
