import type { DeltaChannelHistory } from "@langchain/langgraph-checkpoint";

import { SnapshotSaver } from "../savers/architectures.js";
import type { Loaded, MapSaver } from "../savers/map-saver.js";
import type { CheckpointRecord } from "../savers/storage.js";
import { defect, type Defect } from "./defect.js";

type Asked = Parameters<MapSaver["getDeltaChannelHistory"]>;

/** Takes whatever is older for an ancestor. */
class EverythingOlder extends SnapshotSaver {
  protected override ancestors(target: CheckpointRecord): CheckpointRecord[] {
    return [...this.storage.checkpoints.values()]
      .filter(({ thread, namespace, id }) => {
        return thread === target.thread && namespace === target.namespace && id < target.id;
      })
      .toSorted((a, b) => this.compareIds(b.id, a.id));
  }
}

export const historyDefects: Defect[] = [
  defect(
    "deltaHistory.starts-at-parent",
    "starts at the target itself",
    "The walk begins where it is asked to.",
    class extends SnapshotSaver {
      protected override ancestors(target: CheckpointRecord): CheckpointRecord[] {
        return [target, ...super.ancestors(target)];
      }
    },
  ),
  defect(
    "deltaHistory.no-seed-at-root",
    "always answers with a seed",
    "`{ seed: values[channel], writes }`, undefined where there is none.",
    class extends SnapshotSaver {
      protected override async history(chain: Loaded[], channel: string): Promise<DeltaChannelHistory> {
        return { seed: undefined, ...(await super.history(chain, channel)) };
      }
    },
  ),
  defect(
    "deltaHistory.stops-at-first-value",
    "goes on past the first value",
    "All writes of the whole chain are collected, and the oldest value is the seed.",
    class extends SnapshotSaver {
      protected override async history(chain: Loaded[], channel: string): Promise<DeltaChannelHistory> {
        const history: DeltaChannelHistory = { writes: [] };
        for (const loaded of chain) {
          const own = await super.history([loaded], channel);
          history.writes.unshift(...own.writes);
          if ("seed" in own) history.seed = own.seed;
        }
        return history;
      }
    },
  ),
  defect(
    "deltaHistory.stops-per-channel",
    "stops for all channels at once",
    "One walk for all, which ends at the first value that it meets.",
    class extends SnapshotSaver {
      override async getDeltaChannelHistory({ config, channels }: Asked[0]) {
        const [first] = channels;
        const all = await super.getDeltaChannelHistory({ config, channels });
        const count = first === undefined ? 0 : (all[first]?.writes.length ?? 0);
        const cut = Object.entries(all).map(([name, { writes, ...rest }]) => [
          name,
          { ...rest, writes: writes.slice(-Math.max(1, count)) },
        ]);
        return Object.fromEntries(cut) as Record<string, DeltaChannelHistory>;
      }
    },
  ),
  defect(
    "deltaHistory.falsy-seeds",
    "takes null for no value",
    "`if (value)`.",
    class extends SnapshotSaver {
      protected override async history(chain: Loaded[], channel: string): Promise<DeltaChannelHistory> {
        const { seed, writes } = await super.history(chain, channel);
        return seed ? { seed, writes } : { writes };
      }
    },
  ),
  defect(
    "deltaHistory.special-writes",
    "leaves special writes out",
    "They are no updates of a channel; but whoever asks for one wants it.",
    class extends SnapshotSaver {
      protected override async history(chain: Loaded[], channel: string): Promise<DeltaChannelHistory> {
        return channel.startsWith("__") ? { writes: [] } : super.history(chain, channel);
      }
    },
  ),
  defect(
    "deltaHistory.walks-parents",
    "goes by the order of the list",
    "Everything older in the namespace is taken for an ancestor.",
    EverythingOlder,
  ),
  defect(
    "deltaChannels.both-sides-of-a-fork",
    "applies the other branch as well",
    "A history is a list, until somebody forks it.",
    EverythingOlder,
  ),
  defect(
    "deltaHistory.ids-out-of-order",
    "expects ancestors to have smaller ids",
    "A range query over what is older, and the chain is followed inside it.",
    class extends SnapshotSaver {
      protected override ancestors(target: CheckpointRecord): CheckpointRecord[] {
        return super.ancestors(target).filter(({ id }) => id < target.id);
      }
    },
  ),
  defect(
    "deltaHistory.stays-in-its-place",
    "finds ancestors by their id alone",
    "An index on checkpoint_id.",
    class extends SnapshotSaver {
      protected override ancestors(target: CheckpointRecord): CheckpointRecord[] {
        return super
          .ancestors(target)
          .map(({ id }) => [...this.storage.checkpoints.values()].findLast((record) => record.id === id)!);
      }
    },
  ),
  defect(
    "deltaHistory.parent-not-stored",
    "takes the writes of a parent that is gone",
    "Writes are read by the parent's id, whether it is there or not.",
    class extends SnapshotSaver {
      protected override async history(chain: Loaded[], channel: string): Promise<DeltaChannelHistory> {
        const history = await super.history(chain, channel);
        const last = chain.at(-1)?.record;
        if (last?.parent === undefined || "seed" in history) return history;
        const orphans = this.writesOf({ ...last, id: last.parent }).filter(
          (write) => write.channel === channel,
        );
        history.writes.unshift(...(await Promise.all(orphans.map((write) => this.pending(last, write)))));
        return history;
      }
    },
  ),
  defect(
    "deltaHistory.cycle-ends",
    "walks without a visited set",
    "Nobody is their own ancestor.",
    class extends SnapshotSaver {
      protected override ancestors(target: CheckpointRecord): CheckpointRecord[] {
        let id = target.parent;
        const last: CheckpointRecord[] = [];
        while (id !== undefined) {
          const record = this.storage.checkpoints.get(this.key(target.thread, target.namespace, id));
          if (record === undefined) break;
          last.push(record);
          // Bounded, or the process would be gone before anybody could say so.
          if (last.length > 50) throw new RangeError("Maximum call stack size exceeded");
          id = record.parent;
        }
        return last;
      }
    },
  ),
  defect(
    "deltaHistory.latest-target",
    "wants a checkpoint_id",
    "As MemorySaver does: without one there is no target.",
    class extends SnapshotSaver {
      override async getDeltaChannelHistory({ config, channels }: Asked[0]) {
        if (this.placeOf(config).id !== undefined) return super.getDeltaChannelHistory({ config, channels });
        return Object.fromEntries(channels.map((channel) => [channel, { writes: [] }]));
      }
    },
  ),
  defect(
    "deltaHistory.unknown-target",
    "fails on an unknown target",
    "The target must be there: it was just asked for.",
    class extends SnapshotSaver {
      override async getDeltaChannelHistory(...args: Asked) {
        if ((await this.getTuple(args[0].config)) === undefined) throw new Error("no such checkpoint");
        return super.getDeltaChannelHistory(...args);
      }
    },
  ),
  defect(
    "deltaHistory.no-channels",
    "fails without channels",
    "`WHERE channel IN ()` is a syntax error.",
    class extends SnapshotSaver {
      override async getDeltaChannelHistory(...args: Asked) {
        if (args[0].channels.length === 0) throw new Error('near ")": syntax error');
        return super.getDeltaChannelHistory(...args);
      }
    },
  ),
  defect(
    "deltaHistory.names-of-object-members",
    "collects channels in a plain object",
    "`result[channel] ??= { writes: [] }` finds Object's own members.",
    class extends SnapshotSaver {
      override async getDeltaChannelHistory(...args: Asked) {
        const result: Record<string, DeltaChannelHistory> = {};
        for (const [name, each] of Object.entries(await super.getDeltaChannelHistory(...args)))
          result[name] ??= each;
        return result;
      }
    },
  ),
  defect(
    "deltaHistory.long-chain",
    "walks a hundred ancestors",
    "$graphLookup, or a recursive query, with a depth.",
    class extends SnapshotSaver {
      protected override ancestors(target: CheckpointRecord): CheckpointRecord[] {
        return super.ancestors(target).slice(0, 100);
      }
    },
  ),
];
