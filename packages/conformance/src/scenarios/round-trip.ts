import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { identical } from "../check.js";
import { configOf, getOne, listAll, putOne, writesOf } from "./calls.js";

/** The value as a channel, inside another value, as a write and from list: what came back each way. */
export async function roundTrip(saver: BaseCheckpointSaver, value: unknown): Promise<unknown[]> {
  const id = await putOne(saver, "t", { values: { c: value, nested: { in: [value] } } });
  await saver.putWrites(configOf("t", id), [["c", value]], "k");
  const { channel_values: got } = (await getOne(saver, "t", id)).checkpoint;
  const listed = (await listAll(saver, configOf("t", id)))[0]!.checkpoint.channel_values;
  return [
    got["c"],
    (got["nested"] as { in: unknown[] } | undefined)?.in[0],
    (await writesOf(saver, "t", id))[0]?.[2],
    listed["c"],
  ];
}

export async function checkRoundTrip(
  saver: BaseCheckpointSaver,
  values: Record<string, unknown>,
): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    for (const got of await roundTrip(saver, value)) identical(got, value, `${name}: the values`);
  }
}
