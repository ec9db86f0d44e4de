import type { MongoDBSaver } from "../../src/index.js";
import { checkpoint, config, idOf, metadata, text } from "@langgraph-savers/test/checkpoints";

/** One thread of the load: every call that was acknowledged, to be found again later. */
export interface Trail {
  threadId: string;
  /** Ids of acknowledged puts. */
  puts: string[];
  /** Ids of checkpoints whose writes were acknowledged. */
  writes: string[];
  /** Ids of checkpoints whose deletion was acknowledged. */
  deleted: string[];
  /** What the thread's register was set to. */
  register: string | undefined;
}

/** The state of a step: what it must be is known from its number alone. */
function stateOf(step: number): { log: string; step: number } {
  return { log: text(2000 + step * 40, 7), step };
}

/**
 * Goes on putting checkpoints and writes into a thread of its own until `acknowledged` says that it is enough. Now and
 * then it deletes one, collects what is left of those, and moves a register on.
 */
export async function drive(
  saver: MongoDBSaver,
  threadId: string,
  acknowledged: () => boolean,
): Promise<Trail> {
  const trail: Trail = { threadId, puts: [], writes: [], deleted: [], register: undefined };
  const { store } = saver;
  for (let step = 0, enough = false; !enough; step++) {
    const id = idOf(step);
    const parent = step === 0 ? undefined : idOf(step - 1);
    const versions = { log: step + 1, step: step + 1 };
    const next = checkpoint(id, stateOf(step));
    next.channel_versions = versions;
    await saver.put(config(threadId, parent), next, metadata(step), versions);
    trail.puts.push(id);
    await saver.putWrites(config(threadId, id), [["out", step]], "task");
    trail.writes.push(id);
    if (step % 3 === 0) {
      const register = `${step}`;
      if (await store.setRegister(threadId, "step", register, trail.register)) trail.register = register;
    }
    if (step % 3 === 2) {
      const checkpointId = idOf(step - 2);
      await store.deleteCheckpoints(threadId, [{ namespace: "", checkpointId }]);
      trail.deleted.push(checkpointId);
    }
    // At once: nobody else is at work here, and what goes never comes again.
    if (step % 6 === 5) await store.collectChunks(threadId, Date.now());
    enough = acknowledged();
  }
  return trail;
}

export interface Verdict {
  acknowledged: number;
  lost: string[];
  wrong: string[];
}

/** Looks for all that was acknowledged, by a saver that has nothing in memory. */
export async function verify(saver: MongoDBSaver, trails: Trail[]): Promise<Verdict> {
  const verdict: Verdict = { acknowledged: 0, lost: [], wrong: [] };
  for (const { threadId, puts, writes, deleted, register } of trails) {
    verdict.acknowledged += puts.length + writes.length + deleted.length;
    const gone = new Set(deleted);
    const lost = new Set<string>();
    for (const id of puts) if (!gone.has(id)) lost.add(`put ${id}`);
    for (const id of writes) if (!gone.has(id)) lost.add(`writes ${id}`);
    if ((await saver.store.getRegister(threadId, "step")) !== register) lost.add("register");
    for await (const { checkpoint: found, metadata: labels, pendingWrites } of saver.list(config(threadId))) {
      lost.delete(`put ${found.id}`);
      if (gone.has(found.id)) verdict.wrong.push(`${found.id} came back`);
      const step = labels!.step;
      if (JSON.stringify(found.channel_values) !== JSON.stringify(stateOf(step)))
        verdict.wrong.push(found.id);
      if (
        pendingWrites?.some(
          ([task, channel, value]) => task === "task" && channel === "out" && value === step,
        )
      )
        lost.delete(`writes ${found.id}`);
    }
    verdict.lost.push(...[...lost].map((name) => `${threadId}: ${name}`));
  }
  return verdict;
}
