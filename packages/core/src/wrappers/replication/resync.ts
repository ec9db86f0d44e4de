import type { Monitor } from "./monitor.js";
import { outOfDate } from "./outage.js";
import type { AnySaver } from "./options.js";
import type { Replica } from "./replica.js";
import type { CopyCounts, ResyncReport, SideName } from "./status.js";

/** Options of `resync`. */
export interface ResyncOptions {
  /**
   * The side that is right: the other one becomes a copy of it, whatever it has. Default: the side that is known to have
   * missed nothing; where neither is known to have, each gets what only the other has, and of what differs the active
   * side's counts.
   */
  from?: SideName;
}

/** Compares the two sides, one thread after the other, and copies what is missing. */
export async function resync(
  monitor: Monitor,
  threadId: string | undefined,
  from: SideName | undefined,
): Promise<ResyncReport> {
  const { active } = monitor;
  const report: ResyncReport = { threads: 0, toPrimary: nothing(), toSecondary: nothing() };
  const threads =
    threadId === undefined ? await threadsOf([active, active.other]) : new Set<string>([threadId]);
  for (const each of threads) {
    const target = targetFor(monitor, each, from);
    const copied = await compare(target, each, from !== undefined);
    report.threads += 1;
    if (copied === undefined) continue;
    const [toTarget, toSource] =
      target.name === "primary"
        ? [report.toPrimary, report.toSecondary]
        : [report.toSecondary, report.toPrimary];
    add(toTarget, copied.toTarget);
    add(toSource, copied.toSource);
  }
  return report;
}

async function compare(target: Replica, threadId: string, mirror: boolean) {
  for (const side of [target, target.other]) {
    if (side.isDown) throw outOfDate(side.other.name, threadId, side.lastError);
  }
  return target.compare(threadId, mirror);
}

function targetFor({ active }: Monitor, threadId: string, from: SideName | undefined): Replica {
  const sides = [active.other, active];
  if (from !== undefined) return sides.find(({ name }) => name !== from)!;
  return sides.find(({ backlog }) => backlog.isStale(threadId)) ?? active.other;
}

/** The threads of both sides, and those whose deletion one of them has yet to take. */
async function threadsOf(sides: Replica[]): Promise<Set<string>> {
  const threads = new Set<string>();
  for (const side of sides) {
    for await (const threadId of side.stream(threadIdsOf)) threads.add(threadId);
    for (const [threadId] of side.backlog.entries()) threads.add(threadId);
  }
  return threads;
}

/** Savers of this pack list their threads; of others all checkpoints are listed. */
async function* threadIdsOf(saver: AnySaver): AsyncGenerator<string> {
  if ("listThreads" in saver && typeof saver.listThreads === "function") {
    const infos = saver.listThreads() as AsyncGenerator<{ threadId: string }>;
    for await (const { threadId } of infos) yield threadId;
    return;
  }
  for await (const { config } of saver.list({})) yield String(config.configurable?.["thread_id"]);
}

function nothing(): CopyCounts {
  return { checkpoints: 0, writes: 0 };
}

function add(sum: CopyCounts, { checkpoints, writes }: CopyCounts): void {
  sum.checkpoints += checkpoints;
  sum.writes += writes;
}
