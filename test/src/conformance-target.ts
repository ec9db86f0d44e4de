import type { ConformanceTarget } from "@langgraph-savers/conformance";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import type { SaverUnderTest } from "./saver-under-test.js";

/** A subject of the shared suites, as the conformance kit takes it. Faults have tests of their own in each package. */
export function conformanceTarget(subject: SaverUnderTest): ConformanceTarget {
  return {
    name: subject.name,
    capabilities: { faults: false },
    create: async () => {
      const opened: BaseCheckpointSaver[] = [];
      const keep = async (opening: Promise<BaseCheckpointSaver> | BaseCheckpointSaver) => {
        const saver = await opening;
        opened.push(saver);
        return saver;
      };
      const saver = await keep(subject.create());
      const { createWith } = subject;
      return {
        saver,
        reopen: () => keep(subject.reopen(saver)),
        ...(createWith === undefined
          ? {}
          : { createWith: (options: Parameters<typeof createWith>[0]) => keep(createWith(options)) }),
        cleanup: async () => {
          for (const each of opened.toReversed()) await subject.destroy?.(each);
        },
      };
    },
  };
}
