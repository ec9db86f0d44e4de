import type { Defect } from "./defect.js";

/**
 * Graphs see many mistakes that a single call sees as well. By the scenario that is meant for the mistake: the others
 * that must catch it too.
 */
const seenToo: Record<string, string[]> = {
  "fork.versions-do-not-collide": [
    "fork.written-in-turns",
    "fork.copy-of-an-interrupt",
    "timeTravel.replay",
    "timeTravel.replay-interrupt",
  ],
  "fork.branches-keep-values": ["fork.update-as-node"],
  "channels.falsy-values-are-values": ["fork.update-starts-a-thread"],
  "put.same-id-is-one-checkpoint": [
    "fork.bulk-update",
    "failures.again-and-again",
    "failures.retry-policy",
    "streams.checkpoints",
  ],
  "put.config-names-the-parent": [
    "fork.copy",
    "durability.sync-steps",
    "durability.async-steps",
    "durability.exit-steps",
    "deltaChannels.every-frequency",
    "deltaChannels.over-runs",
    "deltaChannels.different-cadence",
    "deltaChannels.overwrite",
    "deltaChannels.messages",
  ],
  "channels.dropped-channel-is-absent": [
    "interrupts.in-a-loop",
    "interrupts.before-and-after",
    "parallel.static-branches",
    "subgraphs.as-a-node",
    "subgraphs.inside-a-node",
    "subgraphs.stateful-interrupt",
    "durability.sync-two-interrupts",
    "durability.async-two-interrupts",
    "durability.sync-no-own-ancestor",
    "durability.async-no-own-ancestor",
    "durability.sync-subgraph",
    "durability.async-subgraph",
    "durability.sync-failed-run",
    "durability.async-failed-run",
    "failures.policy-gave-up",
    "chat.long-chat",
    "streams.values",
    "streams.left-early",
  ],
  "channels.version-without-value": [
    "interrupts.with-an-update",
    "interrupts.threads-apart",
    "subgraphs.afresh-on-next-run",
    "timeTravel.replay-first-step",
    "durability.exit-subgraph",
    "durability.exit-failed-run",
    "chat.tool-loop",
  ],
  "channels.carried-down-a-chain": ["parallel.send-order"],
  "functional.previous-result": [
    "parallel.resume-all",
    "parallel.resume-one-by-one",
    "parallel.sends-of-a-command",
    "durability.sync-branches",
    "durability.async-branches",
    "functional.saves-something-else",
    "functional.saved-while-waiting",
    "richValues.send-argument",
  ],
  "put.whole-skeleton": ["subgraphs.update-waiting-state"],
  "subgraphs.stateful-bare-namespace": ["subgraphs.stateful-remembers", "subgraphs.stateful-per-thread"],
  "identity.namespace-is-no-prefix": ["subgraphs.stateful-prefix-names"],
  "put.same-id-keeps-writes": ["durability.exit-branches", "deltaChannels.interrupts"],
  "timeTravel.many-runs": ["failures.new-input"],
  "parallel.finished-branches-stay": [
    "functional.finished-tasks",
    "functional.parallel-tasks",
    "functional.interrupt-in-a-task",
    "functional.failed-task",
  ],
  "messages.every-class": ["chat.remove-message", "chat.remove-all", "mutation.edited-message"],
  "mutation.each-step-as-it-was": ["mutation.input-after-the-run"],
  "values.delta-snapshot": ["deltaHistory.snapshot-round-trips"],
  "concurrency.writes-beside-their-put": ["deltaChannels.parallel-writes"],
  "copyThread.every-checkpoint": ["copyThread.goes-on"],
  "copyThread.writes": ["copyThread.interrupt"],
  "copyThread.parents": ["copyThread.delta-channels"],
  "deleteCheckpoints.children-stay-whole": ["deleteCheckpoints.graphs-go-on"],
  "prune.values-of-ancestors": ["prune.graphs-go-on"],
  "prune.writes-stay": ["prune.interrupt"],
};

/** The same wrong savers once more, each with another scenario that has to catch it. */
export function seenThroughGraphs(defects: readonly Defect[]): Defect[] {
  return Object.entries(seenToo).flatMap(([original, others]) => {
    const defect = defects.find(({ caughtBy }) => caughtBy === original);
    if (defect === undefined) throw new Error(`there is no wrong saver for ${original}`);
    return others.map((caughtBy) => ({ ...defect, caughtBy }));
  });
}
