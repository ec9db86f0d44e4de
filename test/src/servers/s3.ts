import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { startKept, type TestServer } from "./kept-process.js";

/** The only keys that s3rver knows. */
export const S3_CREDENTIALS = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

/** s3rver, which keeps objects as files, with one bucket in it. */
export async function startS3(bucket: string): Promise<TestServer> {
  const manifest = createRequire(import.meta.url).resolve("s3rver/package.json");
  const cli = join(dirname(manifest), "bin", "s3rver.js");
  const directory = await mkdtemp(join(tmpdir(), "s3rver-"));
  const options = ["--silent", "--no-vhost-buckets", "--configure-bucket", bucket, "--directory", directory];
  const server = await startKept(process.execPath, (port) => {
    return [cli, ...options, "--address", "127.0.0.1", "--port", String(port)];
  });
  return {
    endpoint: server.endpoint,
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
