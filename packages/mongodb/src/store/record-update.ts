import type { Document } from "mongodb";

import type { RecordDocument } from "./documents.js";
import { inGeneration, priorsAfter } from "./priors.js";

/** An update that puts these fields in the place of all that is there, and remembers what that referred to. */
export function replaceRecord(fields: Omit<RecordDocument, "_id" | "m">): Document[] {
  const { g: generation } = fields;
  const replaced = {
    $and: [
      inGeneration(generation),
      { $gt: [{ $binarySize: { $ifNull: ["$c", ""] } }, 0] },
      { $ne: ["$c", "$$new.c"] },
    ],
  };
  const m = priorsAfter(generation, { $cond: [replaced, ["$c"], []] });
  const merged = { $mergeObjects: ["$$new", { _id: "$_id", m }] };
  return [{ $replaceWith: { $let: { vars: { new: { $literal: fields } }, in: merged } } }];
}
