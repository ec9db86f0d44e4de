import type { ReplicationEvent, ReplicationStatus } from "@langgraph-savers/core";

/** A status as two lines. */
export function show(status: ReplicationStatus): void {
  for (const name of ["primary", "secondary"] as const) {
    const { state, queue, needsResync } = status[name];
    const waits = queue.operations > 0 ? `, has ${queue.operations} operations to catch up with` : "";
    const stale = needsResync > 0 ? `, ${needsResync} threads to compare` : "";
    const serves = status.active === name ? ", serves" : "";
    console.log(`  ${name.padEnd(9)}  ${state}${serves}${waits}${stale}`);
  }
}

/** An event in words. */
export function describe(event: ReplicationEvent): string {
  switch (event.type) {
    case "failover":
      return `failover: the ${event.to} serves (${codeOf(event.error)})`;
    case "failback":
      return "failback: the primary serves again";
    case "degraded":
      return `the ${event.side} is down`;
    case "recovered":
      return `the ${event.side} is back, and has caught up`;
    case "resynced":
      return `compared ${event.threadId}: ${event.checkpoints} checkpoints and ${event.writes} writes copied to the ${event.to}`;
    default:
      return event.type;
  }
}

function codeOf(error: unknown): string {
  return (error as { code?: string } | undefined)?.code ?? String(error);
}
