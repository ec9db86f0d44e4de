import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import type { MeasureId } from "../suite/measures.js";
import type { Probe } from "../suite/workload.js";
import type { Opened } from "../subjects/subject.js";

/** getTuple and list(50), by the saver that wrote and by one that has seen nothing yet. */
export function readings(opened: Opened, thread: string): Probe[] {
  const config = { configurable: { thread_id: thread } };
  const get = (saver: BaseCheckpointSaver) => saver.getTuple(config);
  const list = async (saver: BaseCheckpointSaver) => {
    for await (const _ of saver.list(
      { configurable: { ...config.configurable, checkpoint_ns: "" } },
      { limit: 50 },
    ));
  };
  type Read = typeof get | typeof list;
  const warm = (measure: MeasureId, read: Read, every: number): Probe => {
    return { measure, every, prepare: async () => ({ run: () => read(opened.saver) }) };
  };
  const cold = (measure: MeasureId, read: Read, every: number): Probe => ({
    measure,
    every,
    async prepare() {
      const { saver, close } = await opened.cold();
      return { run: () => read(saver), done: close };
    },
  });
  return [
    warm("getWarm", get, 1),
    cold("getCold", get, 1),
    warm("list50", list, 5),
    cold("listCold", list, 5),
  ];
}
