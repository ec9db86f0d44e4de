import type { Scenario } from "../scenario.js";
import { channelsScenarios } from "./channels.js";
import { concurrentDeletesScenarios } from "./concurrent-deletes.js";
import { concurrentPutsScenarios } from "./concurrent-puts.js";
import { concurrentWritesScenarios } from "./concurrent-writes.js";
import { deleteThreadScenarios } from "./delete-thread.js";
import { deltaHistoryScenarios } from "./delta-history.js";
import { errorsScenarios } from "./errors.js";
import { faultsScenarios } from "./faults.js";
import { filterScenarios } from "./filter.js";
import { forkScenarios } from "./fork.js";
import { getTupleScenarios } from "./get-tuple.js";
import { chatScenarios } from "./graphs/chat.js";
import { concurrentRunsScenarios } from "./graphs/concurrent-runs.js";
import { deletedThreadsScenarios } from "./graphs/deleted-threads.js";
import { deltaChannelsScenarios } from "./graphs/delta-channels.js";
import { durabilityScenarios } from "./graphs/durability.js";
import { failuresScenarios } from "./graphs/failures.js";
import { forksScenarios } from "./graphs/forks.js";
import { functionalScenarios } from "./graphs/functional.js";
import { interruptsScenarios } from "./graphs/interrupts.js";
import { mutationScenarios } from "./graphs/mutation.js";
import { parallelScenarios } from "./graphs/parallel.js";
import { richValuesScenarios as richValuesInGraphs } from "./graphs/rich-values.js";
import { statefulSubgraphsScenarios } from "./graphs/stateful-subgraphs.js";
import { streamsScenarios } from "./graphs/streams.js";
import { subgraphsScenarios } from "./graphs/subgraphs.js";
import { timeTravelScenarios } from "./graphs/time-travel.js";
import { identityScenarios } from "./identity.js";
import { idsScenarios } from "./ids.js";
import { lifecycleScenarios } from "./lifecycle.js";
import { listScenarios } from "./list.js";
import { messagesScenarios } from "./messages.js";
import { metadataScenarios } from "./metadata.js";
import { pendingSendsScenarios } from "./pending-sends.js";
import { putScenarios } from "./put.js";
import { putWritesScenarios } from "./put-writes.js";
import { refusalsScenarios } from "./refusals.js";
import { reopenScenarios } from "./reopen.js";
import { richValuesScenarios } from "./rich-values.js";
import { runsScenarios } from "./runs.js";
import { safetyScenarios } from "./safety.js";
import { serdeScenarios } from "./serde.js";
import { sharingScenarios } from "./sharing.js";
import { sizesScenarios } from "./sizes.js";
import { taskPathScenarios } from "./task-path.js";
import { getAtOrBeforeScenarios } from "./threads/at-or-before.js";
import { copyGraphsScenarios } from "./threads/copy-graphs.js";
import { copyThreadScenarios } from "./threads/copy-thread.js";
import { deleteCheckpointsScenarios } from "./threads/delete-checkpoints.js";
import { deleteForRunsScenarios } from "./threads/delete-runs.js";
import { forkThreadScenarios } from "./threads/fork-thread.js";
import { listThreadsScenarios } from "./threads/list-threads.js";
import { pruneScenarios } from "./threads/prune.js";
import { pruneGraphsScenarios } from "./threads/prune-graphs.js";
import { threadInfoScenarios } from "./threads/thread-info.js";
import { verifyScenarios } from "./threads/verify.js";
import { unstorableScenarios } from "./unstorable.js";
import { valuesScenarios } from "./values.js";

/** Every scenario of the kit, in the order in which they are tried and reported. */
export const scenarios: readonly Scenario[] = [
  ...lifecycleScenarios,
  ...identityScenarios,
  ...idsScenarios,
  ...putScenarios,
  ...channelsScenarios,
  ...forkScenarios,
  ...forksScenarios,
  ...putWritesScenarios,
  ...taskPathScenarios,
  ...getTupleScenarios,
  ...pendingSendsScenarios,
  ...listScenarios,
  ...filterScenarios,
  ...deleteThreadScenarios,
  ...metadataScenarios,
  ...runsScenarios,
  ...valuesScenarios,
  ...richValuesScenarios,
  ...messagesScenarios,
  ...sizesScenarios,
  ...sharingScenarios,
  ...concurrentPutsScenarios,
  ...concurrentWritesScenarios,
  ...concurrentDeletesScenarios,
  ...concurrentRunsScenarios,
  ...interruptsScenarios,
  ...parallelScenarios,
  ...subgraphsScenarios,
  ...statefulSubgraphsScenarios,
  ...timeTravelScenarios,
  ...durabilityScenarios,
  ...failuresScenarios,
  ...functionalScenarios,
  ...chatScenarios,
  ...mutationScenarios,
  ...streamsScenarios,
  ...deletedThreadsScenarios,
  ...richValuesInGraphs,
  ...refusalsScenarios,
  ...errorsScenarios,
  ...unstorableScenarios,
  ...safetyScenarios,
  ...deltaHistoryScenarios,
  ...deltaChannelsScenarios,
  ...serdeScenarios,
  ...reopenScenarios,
  ...faultsScenarios,
  ...listThreadsScenarios,
  ...threadInfoScenarios,
  ...getAtOrBeforeScenarios,
  ...copyThreadScenarios,
  ...copyGraphsScenarios,
  ...forkThreadScenarios,
  ...deleteCheckpointsScenarios,
  ...deleteForRunsScenarios,
  ...pruneScenarios,
  ...pruneGraphsScenarios,
  ...verifyScenarios,
];
