import { randomUUID } from "node:crypto";

import { messageOf } from "@langgraph-savers/command/modules";
import { emptyCheckpoint } from "@langchain/langgraph-checkpoint";

import { formatDuration } from "../render/units.js";
import { isPackSaver, type OpenStore, type PackSaver } from "../stores/store.js";
import { bad, ok, type Check } from "./check.js";

/** What every saver can be asked: to answer, to give a checkpoint, and if wanted to take one and forget it again. */
export async function* saverChecks(
  { saver }: OpenStore,
  { write }: { write: boolean },
): AsyncGenerator<Check> {
  if (isPackSaver(saver)) yield await connection(saver);
  const start = performance.now();
  try {
    // Reads the newest checkpoint of all, with its values: whoever lacks a key for them learns of it here.
    const [newest] = await take(saver.list({ configurable: {} }, { limit: 1 }));
    const took = formatDuration(performance.now() - start);
    yield ok(
      "reading",
      newest === undefined ? `the store is empty (${took})` : `the newest checkpoint in ${took}`,
    );
  } catch (error) {
    yield bad(
      "reading",
      messageOf(error),
      "See what the message says; `verify` tells which threads are concerned.",
    );
  }
  if (write) yield await probe(saver);
}

async function connection(saver: PackSaver): Promise<Check> {
  const start = performance.now();
  try {
    await saver.ping();
    return ok("connection", `answers in ${formatDuration(performance.now() - start)}`);
  } catch (error) {
    return bad(
      "connection",
      messageOf(error),
      "See what the message says: the address, the user, the server.",
    );
  }
}

async function probe(saver: OpenStore["saver"]): Promise<Check> {
  const threadId = `langgraph-savers doctor ${randomUUID()}`;
  const checkpoint = { ...emptyCheckpoint(), channel_values: { probe: "x" }, channel_versions: { probe: 1 } };
  const start = performance.now();
  try {
    const config = { configurable: { thread_id: threadId, checkpoint_ns: "" } };
    const stored = await saver.put(
      config,
      checkpoint,
      { source: "input", step: -1, parents: {} },
      {
        probe: 1,
      },
    );
    const tuple = await saver.getTuple(stored);
    await saver.deleteThread(threadId);
    const gone = (await saver.getTuple(config)) === undefined;
    if (tuple?.checkpoint.channel_values["probe"] !== "x" || !gone)
      return bad(
        "writing",
        "what was stored was not read back, or not deleted",
        "Run `langgraph-savers conformance` on the saver.",
      );
    return ok("writing", `stored, read and deleted a probe in ${formatDuration(performance.now() - start)}`);
  } catch (error) {
    return bad("writing", messageOf(error), "See what the message says: permissions, space, or the set-up.");
  }
}

async function take<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
