import {
  TASKS,
  WRITES_IDX_MAP,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  type SerializerProtocol,
} from "@langchain/langgraph-checkpoint";

import { digest } from "../../codec/hash.js";
import { decodeText, unpack } from "../../codec/serializer/format.js";
import { Serializer } from "../../codec/serializer/index.js";

/** The writes of one task. */
export interface TaskPrint {
  /** Of the regular writes, whatever their order; empty where there are none. */
  regular: string;
  /** Of each special write, by its channel. */
  special: Map<string, string>;
}

/** A stored checkpoint in a few bytes: two that are equal hold the same. */
export interface Print {
  content: string;
  tasks: Map<string, TaskPrint>;
}

export function isSpecial(channel: string): boolean {
  return Object.hasOwn(WRITES_IDX_MAP, channel);
}

/** Compares what two savers hold. What one of their serializers loses (a Date, a NaN) makes no difference. */
export class Fingerprints {
  readonly #own = new Serializer();
  readonly #foreign: SerializerProtocol[];
  #unlike = 0;

  constructor(serdes: readonly SerializerProtocol[]) {
    this.#foreign = serdes.filter((serde) => !(serde instanceof Serializer));
  }

  async of({ checkpoint, metadata, parentConfig, pendingWrites = [] }: CheckpointTuple): Promise<Print> {
    const { v, id, ts, versions_seen } = checkpoint;
    // The tasks of old checkpoints are read off their parent's writes, and a run's id is not kept by every saver.
    const isDerived = (name: string) => v < 4 && name === TASKS;
    const values = without(checkpoint.channel_values, isDerived);
    const versions = without(checkpoint.channel_versions, isDerived);
    const meta = without(metadata, (name) => name === "run_id");
    const parent: unknown = parentConfig?.configurable?.["checkpoint_id"];
    const content = await this.#print({ v, id, ts, versions_seen, values, versions, meta, parent });
    const tasks = new Map<string, TaskPrint>();
    for (const [taskId, writes] of byTask(pendingWrites)) {
      const regular: string[] = [];
      const special = new Map<string, string>();
      for (const [, channel, value] of writes) {
        const print = await this.#print([channel, value]);
        if (isSpecial(channel)) special.set(channel, print);
        else regular.push(print);
      }
      tasks.set(taskId, { regular: regular.toSorted().join(" "), special });
    }
    return { content, tasks };
  }

  async #print(value: unknown): Promise<string> {
    try {
      let common = value;
      for (const serde of this.#foreign) {
        common = await serde.loadsTyped(...(await serde.dumpsTyped(common)));
      }
      return digest(canonical(...this.#own.dump(common))).toString("base64url");
    } catch {
      // What cannot be compared is copied.
      return `? ${(this.#unlike += 1)}`;
    }
  }
}

export function byTask(writes: readonly CheckpointPendingWrite[]): Map<string, CheckpointPendingWrite[]> {
  const tasks = new Map<string, CheckpointPendingWrite[]>();
  for (const write of writes) {
    const task = tasks.get(write[0]);
    if (task === undefined) tasks.set(write[0], [write]);
    else task.push(write);
  }
  return tasks;
}

/** The same bytes for the same value, whatever the order of its keys. */
function canonical(type: string, data: Uint8Array): (string | Uint8Array)[] {
  if (type === "bytes") return [type, data];
  const { json, segments } = type === "json" ? { json: data, segments: [] } : unpack(data);
  const sorted: unknown = JSON.parse(decodeText(json), (_, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
  return [type, JSON.stringify(sorted), ...segments];
}

function without(record: object | undefined, isLeftOut: (name: string) => boolean): object {
  return Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => !isLeftOut(name)));
}
