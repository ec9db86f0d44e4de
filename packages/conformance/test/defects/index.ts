import { channelDefects } from "./channels.js";
import { concurrencyDefects } from "./concurrency.js";
import type { Defect } from "./defect.js";
import { deletionDefects } from "./deletion.js";
import { faultDefects } from "./faults.js";
import { filteringDefects } from "./filtering.js";
import { seenThroughGraphs } from "./graphs.js";
import { historyDefects } from "./history.js";
import { identityDefects } from "./identity.js";
import { listingDefects } from "./listing.js";
import { metadataDefects } from "./metadata.js";
import { putDefects } from "./put.js";
import { readingDefects } from "./reading.js";
import { refusalDefects } from "./refusals.js";
import { restartDefects } from "./restarts.js";
import { serdeDefects } from "./serde.js";
import { sharingDefects } from "./sharing.js";
import { sizeDefects } from "./sizes.js";
import { targetDefects } from "./targets.js";
import { copyingDefects } from "./threads/copying.js";
import { deletingDefects } from "./threads/deleting.js";
import { forkingDefects } from "./threads/forking.js";
import { listingThreadsDefects } from "./threads/listing.js";
import { pruningDefects } from "./threads/pruning.js";
import { readingThreadsDefects } from "./threads/reading.js";
import { valueDefects } from "./values.js";
import { writeDefects } from "./writes.js";

export type { Defect } from "./defect.js";

/** Savers that are wrong, each in one way. */
export const defects: readonly Defect[] = [
  ...identityDefects,
  ...putDefects,
  ...channelDefects,
  ...writeDefects,
  ...readingDefects,
  ...listingDefects,
  ...filteringDefects,
  ...deletionDefects,
  ...metadataDefects,
  ...valueDefects,
  ...sizeDefects,
  ...sharingDefects,
  ...concurrencyDefects,
  ...refusalDefects,
  ...historyDefects,
  ...serdeDefects,
  ...restartDefects,
  ...faultDefects,
  ...targetDefects,
  ...listingThreadsDefects,
  ...readingThreadsDefects,
  ...copyingDefects,
  ...forkingDefects,
  ...deletingDefects,
  ...pruningDefects,
];

/** Every wrong saver with every scenario that must catch it. */
export const catches: readonly Defect[] = [...defects, ...seenThroughGraphs(defects)];
