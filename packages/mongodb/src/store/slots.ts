import type { Document } from "mongodb";

import type { SlotDocument } from "./documents.js";
import { inGeneration, priorsAfter } from "./priors.js";

/**
 * An update that merges a batch into the slots of a task: each that is there keeps its place, and its content unless
 * the new one replaces it; new ones follow. What the loser of each pair refers to is remembered.
 *
 * `$literal` keeps content from being read as an expression, and the content travels once.
 */
export function mergeSlots(generation: string, slots: SlotDocument[], fields: Document): Document[] {
  const stored = { $cond: [inGeneration(generation), { $ifNull: ["$s", []] }, []] };
  const kept = eachStored({ $ifNull: [sameName([{ $eq: ["$$slot.r", true] }]), "$$old"] });
  const added = {
    $filter: { input: "$new", as: "slot", cond: { $not: [{ $in: ["$$slot.n", "$$stored.n"] }] } },
  };
  const loser = {
    $cond: [{ $eq: ["$$late.c", "$$old.c"] }, null, { $cond: ["$$late.r", "$$old.c", "$$late.c"] }],
  };
  const gone = {
    $filter: {
      input: eachStored({ $let: { vars: { late: sameName([]) }, in: loser } }),
      as: "refs",
      cond: { $gt: [{ $binarySize: { $ifNull: ["$$refs", ""] } }, 0] },
    },
  };
  return [
    { $set: { new: { $literal: slots } } },
    {
      $set: {
        g: { $literal: generation },
        s: { $let: { vars: { stored }, in: { $concatArrays: [kept, added] } } },
        m: priorsAfter(generation, { $let: { vars: { stored }, in: gone } }),
        ...fields,
      },
    },
    { $unset: "new" },
  ];
}

/** The new slot of the same name that meets these conditions, if there is one. */
function sameName(conditions: Document[]): Document {
  const cond = { $and: [{ $eq: ["$$slot.n", "$$old.n"] }, ...conditions] };
  return { $arrayElemAt: [{ $filter: { input: "$new", as: "slot", cond } }, 0] };
}

function eachStored(expression: Document): Document {
  return { $map: { input: "$$stored", as: "old", in: expression } };
}
