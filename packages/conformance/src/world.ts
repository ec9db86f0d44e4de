import { capabilitiesOf, type Capabilities } from "./capabilities.js";
import { ConformanceError, NotAvailable } from "./errors.js";
import { guardHistoryWalk } from "./guard.js";
import type { ConformanceTarget, CreatedSaver, World } from "./scenario.js";

/** The world of one scenario, and its end. */
export interface OpenWorld {
  world: World;
  capabilities: Capabilities;
  close(): Promise<void>;
}

export async function openWorld(target: ConformanceTarget): Promise<OpenWorld> {
  const created = await createSaver(target);
  const { saver, faults } = created;
  const world: World = {
    saver: guardHistoryWalk(saver),
    reopen: async () => guardHistoryWalk((await created.reopen?.()) ?? saver),
    createWith: async (options) => {
      if (created.createWith === undefined) throw new NotAvailable("the target has no createWith");
      return guardHistoryWalk(await created.createWith(options));
    },
    faults,
    another: async () => {
      const other = await createSaver(target);
      return { saver: guardHistoryWalk(other.saver), release: async () => other.cleanup?.() };
    },
  };
  return {
    world,
    capabilities: capabilitiesOf(created, target.capabilities),
    close: async () => created.cleanup?.(),
  };
}

async function createSaver(target: ConformanceTarget): Promise<CreatedSaver> {
  const created = (await target.create()) as CreatedSaver | undefined;
  if (typeof created?.saver?.getTuple !== "function") {
    throw new ConformanceError(
      "BAD_TARGET",
      "create() must return { saver }, with a BaseCheckpointSaver as saver",
    );
  }
  return created;
}
