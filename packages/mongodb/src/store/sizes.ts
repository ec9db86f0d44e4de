import type { Document } from "mongodb";

/** Expressions over documents of any kind: what a field that they may not have takes, in bytes. */
function sizeOf(field: string): Document {
  return { $binarySize: { $ifNull: [field, ""] } };
}

function sizeOfEach(list: string, part: string): Document {
  return {
    $sum: { $map: { input: { $ifNull: [list, []] }, as: "one", in: { $binarySize: `$$one${part}` } } },
  };
}

/** The bodies of a checkpoint or of a task's writes. */
export const BODY_BYTES: Document = { $add: [sizeOf("$b"), sizeOfEach("$s", ".b")] };

export const CHUNK_BYTES: Document = { $add: [sizeOf("$d"), sizeOfEach("$l", "")] };
