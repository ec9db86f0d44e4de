import type { CheckpointMetadata } from "@langchain/langgraph-checkpoint";

import type { Opened, Reader } from "../saver/reader.js";

/**
 * The channels of a checkpoint that hold no value of their own there, only changes since an ancestor that does: LangGraph
 * counts those changes in the metadata, by channel.
 */
export function deltaChannels(metadata: CheckpointMetadata | undefined, opened: Opened): string[] {
  const counters: unknown = (metadata as Record<string, unknown> | undefined)?.[
    "counters_since_delta_snapshot"
  ];
  if (typeof counters !== "object" || counters === null) return [];
  return Object.keys(counters).filter((channel) => !opened.open.channels.has(channel));
}

/** Whether the checkpoint cannot be loaded rightly without its parent. One that has gone meanwhile needs nothing. */
export async function needsParent(reader: Reader, opened: Opened): Promise<boolean> {
  if (opened.open.parentId === undefined) return false;
  const skeleton = await reader.unlessGone(opened.stored, () => reader.skeleton(opened));
  if (skeleton === undefined) return false;
  const { checkpoint, metadata } = skeleton;
  // Before format 4, the tasks to come were among the writes of the parent.
  return checkpoint.v < 4 || deltaChannels(metadata, opened).length > 0;
}
