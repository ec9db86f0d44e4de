import type { Capability } from "./report.js";
import type { ConformanceTarget, CreatedSaver } from "./scenario.js";

export type Capabilities = Record<Capability, boolean>;

/** The methods of a saver that manages its threads: any of them makes the capability. */
const threadMethods = ["listThreads", "copyThread", "fork", "prune", "deleteForRuns"];

/** What the saver and what came with it can do. A declaration of the target's has the last word. */
export function capabilitiesOf(
  created: CreatedSaver,
  declared: ConformanceTarget["capabilities"],
): Capabilities {
  const saver = created.saver as unknown as Record<string, unknown>;
  const has = (method: string): boolean => typeof saver[method] === "function";
  return {
    serde: created.createWith !== undefined,
    reopen: created.reopen !== undefined,
    deltaHistory: has("getDeltaChannelHistory"),
    threads: threadMethods.some(has),
    faults: created.faults !== undefined,
    ...declared,
  };
}

/** Before any saver was created only what is declared is known. */
export function declaredCapabilities(declared: ConformanceTarget["capabilities"]): Capabilities {
  return { serde: false, reopen: false, deltaHistory: false, threads: false, faults: false, ...declared };
}
