import { uuid6, type BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { stepped } from "../suite/steps.js";
import type { Workload } from "../suite/workload.js";
import { planOf } from "./sizes.js";
import { noise } from "./text.js";

/** Puts as a loop of the API makes them: no graph between the clock and the saver. */
function puts(kilobytes: number, threads: number): Workload {
  return stepped({
    id: `puts-${kilobytes}k-${threads}`,
    title: `Puts of ${kilobytes} KB, ${threads === 1 ? "one thread" : `${threads} threads at once`}`,
    about: () =>
      `Each round puts a checkpoint with ${kilobytes} KB of new noise in ${threads === 1 ? "one thread" : `each of ${threads} threads, all at once`}.`,
    step: "round",
    main: "time",
    seconds: threads === 1 ? { file: 8, mongodb: 4, dynamodb: 10 } : { file: 14, mongodb: 8, dynamodb: 30 },
    plan: planOf(
      threads === 1
        ? { full: 1000, quick: 100, dynamodb: { full: 50, quick: 10 } }
        : { full: 40, quick: 4, dynamodb: { full: 10, quick: 2 } },
    ),
    async start({ saver }) {
      const parents: (string | undefined)[] = [];
      let values: string[] = [];
      const put = async (round: number, at: number) => {
        parents[at] = await putOne(saver, `thread-${at}`, parents[at], round, values[at]!);
      };
      const all = Array.from({ length: threads }, (_, at) => at);
      return {
        before(round) {
          values = all.map((at) => noise(kilobytes * 1000, round * 1000 + at));
        },
        step: (round) => Promise.all(all.map((at) => put(round, at))),
      };
    },
  });
}

/** Puts a checkpoint with one value, and returns its id. */
export async function putOne(
  saver: BaseCheckpointSaver,
  thread: string,
  parent: string | undefined,
  step: number,
  value: string,
): Promise<string> {
  const id = uuid6(step % 16_384);
  const configurable = { thread_id: thread, checkpoint_ns: "", checkpoint_id: parent };
  const versions = { value: step };
  const checkpoint = {
    v: 4,
    id,
    ts: "2026-01-01T00:00:00.000Z",
    channel_values: { value },
    channel_versions: versions,
    versions_seen: {},
  };
  await saver.put({ configurable }, checkpoint, { source: "loop", step, parents: {} }, versions);
  return id;
}

export const allPuts: Workload[] = [puts(2, 1), puts(20, 1), puts(2, 32), puts(20, 32)];
