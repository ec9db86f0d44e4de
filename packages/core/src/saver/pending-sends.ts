import { maxChannelVersion, TASKS, type Checkpoint } from "@langchain/langgraph-checkpoint";

import type { Version } from "./records.js";

export type NextVersion = (current: number | undefined) => Version;

/** Checkpoints before format 4 kept the tasks to come among the parent's writes instead of in a channel. */
export function hasPendingSends(checkpoint: Checkpoint, parentId: string | undefined): parentId is string {
  return checkpoint.v < 4 && parentId !== undefined;
}

export async function fillPendingSends(
  checkpoint: Checkpoint,
  parentWrites: [channel: string, value: unknown][],
  nextVersion: NextVersion,
): Promise<void> {
  checkpoint.channel_values[TASKS] = parentWrites
    .filter(([channel]) => channel === TASKS)
    .map(([, value]) => value);
  const versions = Object.values(checkpoint.channel_versions) as number[];
  checkpoint.channel_versions[TASKS] = (
    versions.length > 0 ? maxChannelVersion(...versions) : nextVersion(undefined)
  ) as number;
}
