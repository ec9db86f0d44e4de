import type { MongoDBSaver } from "../../src/index.js";
import { checkpoint, config, idOf, metadata, text } from "../support/checkpoints.js";

/** One thread of the load: every call that was acknowledged, to be found again later. */
export interface Trail {
  threadId: string;
  /** Ids of acknowledged puts. */
  puts: string[];
  /** Ids of checkpoints whose writes were acknowledged. */
  writes: string[];
}

/** The state of a step: what it must be is known from its number alone. */
function stateOf(step: number): { log: string; step: number } {
  return { log: text(2000 + step * 40, 7), step };
}

/** Goes on putting checkpoints and writes into a thread of its own until `acknowledged` says that it is enough. */
export async function drive(
  saver: MongoDBSaver,
  threadId: string,
  acknowledged: () => boolean,
): Promise<Trail> {
  const trail: Trail = { threadId, puts: [], writes: [] };
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
  for (const { threadId, puts, writes } of trails) {
    verdict.acknowledged += puts.length + writes.length;
    const lost = new Set([...puts.map((id) => `put ${id}`), ...writes.map((id) => `writes ${id}`)]);
    for await (const { checkpoint: found, metadata: labels, pendingWrites } of saver.list(config(threadId))) {
      lost.delete(`put ${found.id}`);
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
