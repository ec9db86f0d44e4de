import { randomUUID } from "node:crypto";

import type { RegisterName } from "@langgraph-savers/core";

import type { Backend } from "./backend.js";
import { isThread, type RegisterDocument, type ThreadDocument } from "./documents.js";
import type { Expiry } from "./expiry.js";
import { threadKey } from "./keys.js";

const SETTING = "setting a register";

/** Registers are in the thread's document, where the guard of a commit sees them. */
export async function getRegister(
  backend: Backend,
  threadId: string,
  name: RegisterName,
): Promise<string | undefined> {
  return (await findThread(backend, threadId))?.q?.[name]?.v;
}

/** One that is removed stays behind without a value: it tells who removed it. */
export async function setRegister(
  { backend, expiry }: { backend: Backend; expiry: Expiry },
  threadId: string,
  name: RegisterName,
  value: string | undefined,
  expected: string | undefined,
): Promise<boolean> {
  if (value === undefined && expected === undefined)
    return (await getRegister(backend, threadId, name)) === undefined;
  const register: RegisterDocument = { ...(value === undefined ? {} : { v: value }), o: randomUUID() };
  const q = { [name]: register };
  const condition = { [`q.${name}.v`]: expected ?? { $exists: false } };
  for (;;) {
    const { matchedCount } = await backend.run(SETTING, () =>
      backend.collection.updateOne({ _id: threadKey(threadId), ...condition }, [
        { $set: { [`q.${name}`]: { $literal: register }, ...expiry.keepRegisters() } },
      ]),
    );
    if (matchedCount === 1) return true;
    const document = await findThread(backend, threadId);
    const there = document?.q?.[name];
    // The answer to an earlier attempt was lost.
    if (there?.o === register.o) return true;
    if (there?.v !== expected) return false;
    const thread = { _id: threadKey(threadId), q, ...expiry.newThread() };
    if (document === undefined && (await backend.insert(SETTING, [thread])).length === 0) return true;
  }
}

/** Whether the thread's document has to stay for the sake of a register. */
export function hasRegisters({ q = {} }: ThreadDocument): boolean {
  return Object.values(q).some(({ v }) => v !== undefined);
}

async function findThread(backend: Backend, threadId: string): Promise<ThreadDocument | undefined> {
  const document = await backend.run("reading a register", () =>
    backend.collection.findOne({ _id: threadKey(threadId) }, { readPreference: "primary" }),
  );
  return document !== null && isThread(document) ? document : undefined;
}
