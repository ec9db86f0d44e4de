import type { Document } from "mongodb";

/**
 * How long a document remembers what its earlier versions referred to: far longer than a writer relies on anything.
 * Later only that there was something is kept, so that it is collected.
 */
const KEPT_MS = 3 * 60 * 60_000;

/** Whether a document that an update finds is of this generation; what it says is void otherwise. */
export function inGeneration(generation: string): Document {
  return { $eq: ["$g", { $literal: generation }] };
}

/**
 * The field `m` of a document after an update that takes references away. `gone` is an expression for those, a list of
 * packed hashes, under the document as it was: remembering them is part of the same atomic step.
 */
export function priorsAfter(generation: string, gone: Document): Document {
  const now = Date.now();
  const from = now - KEPT_MS;
  const stored = { $cond: [inGeneration(generation), { $ifNull: ["$m", []] }, []] };
  const old = those({ $lt: ["$$prior.a", from] });
  const all = {
    $concatArrays: [
      { $cond: [{ $eq: ["$$old", []] }, [], [{ a: { $min: "$$old.a" }, c: [] }]] },
      those({ $gte: ["$$prior.a", from] }),
      { $cond: [{ $eq: ["$$gone", []] }, [], [{ a: { $literal: now }, c: "$$gone" }]] },
    ],
  };
  return within({ stored, gone }, within({ old }, within({ all }, orNothing("$$all"))));
}

/** The field `m` without what is older than `before`. */
export function priorsSince(before: number): Document {
  const young = {
    $filter: { input: "$m", as: "prior", cond: { $gte: ["$$prior.a", { $literal: before }] } },
  };
  return within({ young }, orNothing("$$young"));
}

function those(cond: Document): Document {
  return { $filter: { input: "$$stored", as: "prior", cond } };
}

function orNothing(list: string): Document {
  return { $cond: [{ $eq: [list, []] }, "$$REMOVE", list] };
}

function within(vars: Document, expression: Document): Document {
  return { $let: { vars, in: expression } };
}
