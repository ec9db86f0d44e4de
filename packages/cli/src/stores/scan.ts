import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { timeOfId } from "./id-time.js";
import { isPackSaver, nameOf, type ThreadRow } from "./store.js";

/** Threads of any saver: by `listThreads` where it has one, else by reading every checkpoint there is. */
export async function* threadsOf(
  saver: BaseCheckpointSaver,
  { prefix = "" }: { prefix?: string } = {},
): AsyncGenerator<ThreadRow> {
  if (!isPackSaver(saver)) {
    yield* scan(saver, prefix);
    return;
  }
  for await (const info of saver.listThreads(prefix === "" ? {} : { prefix })) {
    const { threadId, checkpoints, bytes, createdAt, updatedAt, namespaces, lastStep, lastSource } = info;
    yield {
      threadId,
      checkpoints,
      bytes,
      createdAt,
      updatedAt,
      namespaces: namespaces.length,
      ...(lastStep === undefined ? {} : { lastStep }),
      ...(lastSource === undefined ? {} : { lastSource }),
      stamp: `${checkpoints} ${bytes} ${updatedAt.getTime()}`,
    };
  }
}

interface Scanned {
  checkpoints: number;
  namespaces: Set<string>;
  oldest: string;
  newest: { id: string; step: number | undefined; source: string | undefined };
}

async function* scan(saver: BaseCheckpointSaver, prefix: string): AsyncGenerator<ThreadRow> {
  const found = new Map<string, Scanned>();
  for await (const tuple of saver.list({ configurable: {} })) {
    const threadId = String(tuple.config.configurable?.["thread_id"]);
    if (!threadId.startsWith(prefix)) continue;
    const { namespace, checkpointId } = nameOf(tuple);
    const { step, source } = tuple.metadata ?? {};
    const thread = found.get(threadId) ?? {
      checkpoints: 0,
      namespaces: new Set<string>(),
      oldest: checkpointId,
      newest: { id: checkpointId, step, source },
    };
    found.set(threadId, thread);
    thread.checkpoints += 1;
    thread.namespaces.add(namespace);
    if (checkpointId < thread.oldest) thread.oldest = checkpointId;
    if (checkpointId > thread.newest.id) thread.newest = { id: checkpointId, step, source };
  }
  for (const [threadId, { checkpoints, namespaces, oldest, newest }] of found)
    yield rowOf({
      threadId,
      checkpoints,
      namespaces: namespaces.size,
      oldest,
      newest: newest.id,
      step: newest.step,
      source: newest.source,
    });
}

/** What a query over somebody else's tables finds out about a thread. */
export interface Found {
  threadId: string;
  checkpoints: number;
  namespaces: number;
  oldest: string;
  newest: string;
  bytes?: number;
  step: unknown;
  source: unknown;
}

export function rowOf(found: Found): ThreadRow {
  const { threadId, checkpoints, namespaces, oldest, newest, bytes, step, source } = found;
  const createdAt = timeOfId(oldest);
  const updatedAt = timeOfId(newest);
  return {
    threadId,
    checkpoints,
    namespaces,
    ...(bytes === undefined ? {} : { bytes }),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
    ...(typeof step === "number" ? { lastStep: step } : {}),
    ...(typeof source === "string" ? { lastSource: source } : {}),
    stamp: `${checkpoints} ${bytes ?? ""} ${newest}`,
  };
}
