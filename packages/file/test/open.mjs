// How the processes of a test open a directory that they share.
import { FileSaver } from "@langgraph-savers/file";

/** @param {{ path: string, durability?: "sync" | "group" | "none" }} place */
export function open({ path, durability = "sync" }) {
  return new FileSaver(path, { durability });
}
