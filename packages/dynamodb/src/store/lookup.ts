import { SaverError } from "@langgraph-savers/core";

/** How to find what is asked of all threads: by an index, by reading the whole table, or not at all. */
export type Lookup = "index" | "scan" | "none";

export function notIndexed(what: string, index: string, option: string): SaverError {
  return new SaverError(
    "SETUP_REQUIRED",
    `${what} over all threads needs the index of ${index}, or a scan of the whole table. ` +
      `Make the saver with \`${option}: true\` and call setup(), or with \`scan: true\`.`,
  );
}
