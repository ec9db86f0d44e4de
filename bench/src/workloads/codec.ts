import { AIMessage, HumanMessage, type BaseMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { Serializer } from "@langgraph-savers/core";

import { median, rounded } from "../suite/numbers.js";
import { outcome } from "../suite/results.js";
import type { Workload } from "../suite/workload.js";
import { words } from "./text.js";

const MESSAGES = 600;

/** The serializers under the savers, alone: what no backend can change. */
export const codec: Workload = {
  id: "codec",
  title: "Serializer, 600 messages",
  about: () =>
    "600 messages of 1 KB through our Serializer (under InMemorySaver) and JsonPlusSerializer (under MemorySaver).",
  step: "round",
  main: "load",
  takes: ({ backend }) => backend === "memory",
  seconds: { file: 6 },
  async run(context) {
    const state = messages();
    const rounds = context.scale === "full" ? 40 : 8;
    const repetitions = context.scale === "full" ? 3 : 2;
    const sides = [];
    for (const { id, ours } of context.subjects) {
      const serde = ours ? new Serializer() : new MemorySaver().serde;
      const [type, data] = await serde.dumpsTyped(state);
      sides.push({ serde, type, data, result: outcome(id) });
    }
    for (let at = 0; at < repetitions; at++) {
      const times = sides.map(() => ({ load: [] as number[], dump: [] as number[] }));
      for (let round = -3; round < rounds; round++) {
        for (const [side, { serde, type, data }] of sides.entries()) {
          const dump = await timed(() => serde.dumpsTyped(state));
          const load = await timed(() => serde.loadsTyped(type, data));
          if (round < 0) continue;
          times[side]!.dump.push(dump);
          times[side]!.load.push(load);
        }
      }
      sides.forEach(({ result: { measures } }, side) => {
        for (const name of ["load", "dump"] as const)
          (measures[name] ??= []).push(rounded(median(times[side]![name])));
      });
      context.progress((at + 1) / repetitions, "");
    }
    return sides.map(({ result }) => result);
  },
};

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function messages(): BaseMessage[] {
  return Array.from({ length: MESSAGES }, (_, at) => {
    const fields = { id: `message-${at}`, content: words(1000, at) };
    return at % 2 === 0 ? new HumanMessage(fields) : new AIMessage(fields);
  });
}
