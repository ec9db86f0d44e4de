import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";
import { describe, expect, inject, it } from "vitest";

import { DynamoDBSaver } from "../src/index.js";
import { BUCKET } from "./support/bucket.js";
import { newTableName, testClient } from "./support/client.js";
import { config, newId, put, text } from "./support/data.js";
import { Meter } from "./support/meter.js";

const here = fileURLToPath(new URL(".", import.meta.url));

/** The packages of AWS's clients that a process has loaded after this code, from the package as it is published. */
function loaded(code: string): string[] {
  const script = `
    import { createRequire } from "node:module";
    import { DynamoDBSaver } from "@langgraph-savers/dynamodb";
    ${code}
    const files = Object.keys(createRequire(import.meta.url).cache).join("\\n");
    const names = [...files.matchAll(/@aws-sdk\\/(client-[a-z0-9]+)/g)].map(([, name]) => name);
    console.log(JSON.stringify([...new Set(names)].toSorted()));
    process.exit();`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: here,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return JSON.parse(output) as string[];
}

/** A process that makes a saver and puts a value of 20 KB. */
const puts = (s3: object): string => `
  const credentials = { accessKeyId: "test${process.pid}", secretAccessKey: "test" };
  const clientConfig = { endpoint: "${inject("dynamodb")}", region: "eu-central-1", credentials };
  const saver = new DynamoDBSaver({ tableName: "${newTableName()}", clientConfig, s3: ${JSON.stringify(s3)} });
  const checkpoint = {
    v: 4, id: "1", ts: "", versions_seen: {},
    channel_values: { big: ${JSON.stringify(text(20_000, 1))} }, channel_versions: { big: 1 },
  };
  const metadata = { source: "loop", step: 1, parents: {} };
  await saver.put({ configurable: { thread_id: "t" } }, checkpoint, metadata, { big: 1 });`;

describe("what a cold start loads and sends", () => {
  it("the client of S3 only once something goes there", () => {
    expect(loaded(puts({ bucket: BUCKET }))).toEqual(["client-dynamodb"]);
    const clientConfig = {
      endpoint: inject("s3"),
      region: "eu-central-1",
      credentials: { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
      forcePathStyle: true,
      requestChecksumCalculation: "WHEN_REQUIRED",
    };
    const s3 = { bucket: BUCKET, prefix: `${newId()}/`, minBytes: 0, clientConfig };
    expect(loaded(puts(s3))).toEqual(["client-dynamodb", "client-s3"]);
  });

  it("and bundlers do without it where it is not installed", async () => {
    const folder = await mkdtemp(join(tmpdir(), "bundle-"));
    try {
      const modules = join(folder, "node_modules");
      const own = join(modules, "@langgraph-savers/dynamodb");
      await cp(join(here, "../dist"), join(own, "dist"), { recursive: true });
      await cp(join(here, "../package.json"), join(own, "package.json"));
      for (const name of ["@langgraph-savers/core", "@aws-sdk/client-dynamodb"]) {
        await mkdir(dirname(join(modules, name)), { recursive: true });
        await symlink(await realpath(join(here, "../node_modules", name)), join(modules, name));
      }
      const { outputFiles } = await build({
        stdin: {
          contents: `export { DynamoDBSaver } from "@langgraph-savers/dynamodb";`,
          resolveDir: folder,
        },
        external: ["@langchain/*"],
        bundle: true,
        write: false,
        platform: "node",
        format: "esm",
        logLevel: "silent",
      });
      expect(outputFiles[0]!.text).toContain('import("@aws-sdk/client-s3")');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("making a saver sends nothing; its first calls send what later ones send, and look for no table", async () => {
    const tableName = newTableName();
    await new DynamoDBSaver({ tableName, client: testClient(), threadIndex: true }).setup();
    const client = testClient();
    const meter = new Meter(client);
    const open = () => new DynamoDBSaver({ tableName, client, threadIndex: true });
    const first = async (call: (saver: DynamoDBSaver) => Promise<unknown>) =>
      (await meter.during(() => call(open()))).requests;
    expect(await first(async () => {})).toEqual({});
    expect(await first((saver) => saver.getTuple(config("t")))).toEqual({ Query: 1 });
    expect(await first((saver) => put(saver, "t", { small: 1 }))).toEqual({ PutItem: 1 });
    // With the thread's first generation.
    const large = await first((saver) => put(saver, "t", { big: text(20_000, 1) }));
    expect(large).toEqual({ BatchWriteItem: 1, UpdateItem: 1, PutItem: 1 });
    expect(await first((saver) => saver.putWrites(config("t", newId()), [["w", 1]], "task"))).toEqual({
      UpdateItem: 1,
    });
    expect(await first((saver) => saver.getTuple(config("t")))).toEqual({ Query: 1, BatchGetItem: 1 });
  });
});
