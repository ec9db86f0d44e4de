import type { Capability } from "./report.js";
import type { ConformanceTarget, CreatedSaver } from "./scenario.js";

export type Capabilities = Record<Capability, boolean>;

/** The operations on threads that a saver may have, each a method of this name. */
export const operations = [
  "listThreads",
  "threadInfo",
  "exists",
  "stats",
  "ping",
  "getAtOrBefore",
  "copyThread",
  "fork",
  "deleteCheckpoints",
  "deleteForRuns",
  "prune",
  "verify",
] as const satisfies readonly Capability[];

/** In the order in which they are told of. */
export const allCapabilities: readonly Capability[] = [
  "serde",
  "reopen",
  "deltaHistory",
  "faults",
  "threads",
  ...operations,
];

/** What the saver and what came with it can do. A declaration of the target's has the last word. */
export function capabilitiesOf(
  created: CreatedSaver,
  declared: ConformanceTarget["capabilities"],
): Capabilities {
  const saver = created.saver as unknown as Record<string, unknown>;
  const has = (method: string): boolean => typeof saver[method] === "function";
  const found = everyCapability((capability) => has(capability));
  return withDeclared(
    {
      ...found,
      serde: created.createWith !== undefined,
      reopen: created.reopen !== undefined,
      deltaHistory: has("getDeltaChannelHistory"),
      threads: operations.some(has),
      faults: created.faults !== undefined,
    },
    declared,
  );
}

/** Before any saver was created only what is declared is known. */
export function declaredCapabilities(declared: ConformanceTarget["capabilities"]): Capabilities {
  return withDeclared(
    everyCapability(() => false),
    declared,
  );
}

/** Whether the target says that it has not what is needed. */
export function isDeclaredAbsent(
  needs: readonly Capability[],
  declared: ConformanceTarget["capabilities"] = {},
): boolean {
  const absent = withDeclared(
    everyCapability(() => true),
    declared,
  );
  return needs.some((capability) => !absent[capability]);
}

export function everyCapability(holds: (capability: Capability) => boolean): Capabilities {
  return Object.fromEntries(
    allCapabilities.map((capability) => [capability, holds(capability)]),
  ) as Capabilities;
}

/** Without `threads` there is none of the operations. */
function withDeclared(found: Capabilities, declared: ConformanceTarget["capabilities"] = {}): Capabilities {
  const none = declared.threads === false ? Object.fromEntries(operations.map((each) => [each, false])) : {};
  return { ...found, ...none, ...declared };
}
