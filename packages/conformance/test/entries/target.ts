import { MemorySaver } from "@langchain/langgraph-checkpoint";

/** One scenario that MemorySaver passes, one that it fails, one that cannot be tried on it. */
export const target = {
  name: "MemorySaver",
  create: () => ({ saver: new MemorySaver() }),
  only: ["put.no-channels", "getTuple.three-keys", "reopen.put-is-seen"],
};
