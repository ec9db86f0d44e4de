import type { LifecycleRule } from "@aws-sdk/client-s3";
import { SaverError } from "@langgraph-savers/core";

import { longestSeconds } from "../store/expiry.js";
import type { Objects, S3Options } from "./objects.js";
import { EXPIRING } from "./packs.js";

const DAY_SECONDS = 24 * 3600;

/** How old an object may become before a rule deletes it: a day more than the items that refer to it. */
function daysOfObjects(ttlSeconds: number): number {
  return Math.ceil(longestSeconds(ttlSeconds) / DAY_SECONDS) + 1;
}

/** Threads expire in S3 by a rule of the bucket, which is for whoever owns the bucket to make: checks that there is one. */
export async function checkLifecycle(
  objects: Objects,
  { bucket, prefix = "" }: S3Options,
  ttlSeconds: number,
): Promise<void> {
  const folder = `${prefix}${EXPIRING}`;
  const days = daysOfObjects(ttlSeconds);
  const rules = (await objects.lifecycle()).filter((rule) => concerns(rule, folder));
  const early = rules.find((rule) => (rule.Expiration?.Days ?? days) < days);
  if (early !== undefined)
    throw new SaverError(
      "SETUP_MISMATCH",
      `Bucket "${bucket}" deletes objects below "${folder}" after ${early.Expiration!.Days} days; with this \`ttl\` they ` +
        `are needed for ${days}. Raise it in the bucket's lifecycle rule.`,
    );
  if (!rules.some((rule) => rule.Expiration?.Days !== undefined && folder.startsWith(prefixOf(rule))))
    throw new SaverError(
      "SETUP_REQUIRED",
      `Bucket "${bucket}" has no lifecycle rule that deletes objects below "${folder}". Add one of ${days} days, as the ` +
        "README shows: without it expired threads would stay in S3.",
    );
}

/** Objects have no tags: rules for those that have some are not about them. */
function concerns(rule: LifecycleRule, folder: string): boolean {
  const { Status, Filter } = rule;
  if (Status !== "Enabled" || Filter?.Tag !== undefined || Filter?.And?.Tags !== undefined) return false;
  const prefix = prefixOf(rule);
  return folder.startsWith(prefix) || prefix.startsWith(folder);
}

function prefixOf({ Filter, Prefix }: LifecycleRule): string {
  return Filter?.Prefix ?? Filter?.And?.Prefix ?? Prefix ?? "";
}
