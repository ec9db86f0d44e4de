import type { Readable } from "node:stream";

const NEWLINE = 10;

/**
 * The lines of a stream, without their ends. Only a line feed ends one: Node's `readline` would also split at
 * characters that JSON leaves inside its strings.
 */
export async function* linesOf(stream: Readable): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  for await (const data of stream) {
    let chunk = Buffer.isBuffer(data) ? data : Buffer.from(data as string);
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE)) {
      yield Buffer.concat([...pending, chunk.subarray(0, end)]);
      pending = [];
      chunk = chunk.subarray(end + 1);
    }
    if (chunk.length > 0) pending.push(chunk);
  }
  if (pending.length > 0) yield Buffer.concat(pending);
}
