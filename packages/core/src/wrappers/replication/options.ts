import type { BaseCheckpointSaver, SerializerProtocol } from "@langchain/langgraph-checkpoint";

import { Serializer } from "../../codec/serializer/index.js";
import { InvalidInputError } from "../../errors.js";
import { refuseOtherNames } from "../../saver/option-names.js";
import { isOutage } from "./outage.js";
import type { ReplicationEvent, ReplicationMode } from "./status.js";

/** Any checkpoint saver, whatever it takes for versions. */
export type AnySaver = BaseCheckpointSaver<string | number>;

/** Options of `ReplicatedSaver`. */
export interface ReplicatedSaverOptions {
  /** The saver that is read and written first while it is up. Versions of channels are its business too. */
  primary: AnySaver;
  /** The saver that gets a copy of everything, and serves while the primary is down. */
  secondary: AnySaver;
  /**
   * `"sync"`: a write is acknowledged when both sides have stored it. `"async"`: when the primary has; the secondary
   * gets it from a queue in memory, in the order of each thread.
   */
  mode: ReplicationMode;
  /**
   * For the sync mode. `"reject"` (default): a write that the secondary does not take is refused. `"degrade"`: the
   * primary alone is enough, and the secondary catches up later. While the primary is down the secondary alone is
   * enough in any case.
   */
  onSecondaryDown?: "reject" | "degrade";
  /** How many operations may wait for a side. Default 10,000. */
  queueLimit?: number;
  /** How many bytes may wait for a side: each put carries the whole state. Default 64 MB. */
  queueBytes?: number;
  /**
   * What happens when the queue of a side that is up is full. `"resync"`: the thread's operations are dropped, and the
   * thread is copied from the other side later; until then this side cannot serve it. `"wait"` (default): writers wait
   * until there is room, and only after `timeoutMs` without any the longest thread is dropped so. For a side that is
   * down it is always `"resync"`.
   */
  onQueueFull?: "wait" | "resync";
  /** How many outages in a row make a side count as down. Default 3. */
  failureThreshold?: number;
  /** How long a side may take for one call until it counts as an outage. Default 15 s. */
  timeoutMs?: number;
  /** How often each side is asked whether it is there: by its `ping()`, else by a read. Default 5 s. */
  checkIntervalMs?: number;
  /** How long the primary must have been up and caught up before it serves again. Default 30 s. */
  failbackDelayMs?: number;
  /**
   * Tells an outage of a side (true) from a mistake of the caller or a fault in the data (false), which is thrown as it
   * is. Default: by the codes of this pack's errors; any error without such a code is an outage, but for an
   * `AbortError`.
   */
  isOutage?: (error: unknown) => boolean;
  /**
   * Copies values at the call, for the side that is written later. Default: the `serde` of the secondary, or else of the
   * primary, where it is one of your own; else the pack's `Serializer`.
   */
  serde?: SerializerProtocol;
  /** Told of failovers, outages, full queues and what was copied. What it throws is ignored. */
  onEvent?: (event: ReplicationEvent) => void;
  /** Whether `close()` also closes the two savers. Default false. */
  closeSavers?: boolean;
}

export type Settings = Required<Omit<ReplicatedSaverOptions, "primary" | "secondary">>;

const NAMES: Record<keyof ReplicatedSaverOptions, true> = {
  primary: true,
  secondary: true,
  mode: true,
  onSecondaryDown: true,
  queueLimit: true,
  queueBytes: true,
  onQueueFull: true,
  failureThreshold: true,
  timeoutMs: true,
  checkIntervalMs: true,
  failbackDelayMs: true,
  isOutage: true,
  serde: true,
  onEvent: true,
  closeSavers: true,
};

export function readSettings(options: ReplicatedSaverOptions): Settings {
  refuseOtherNames("ReplicatedSaver", options, Object.keys(NAMES));
  const { primary, secondary, mode, onEvent } = options;
  for (const [name, saver] of Object.entries({ primary, secondary })) {
    if (typeof saver?.getTuple !== "function") throw invalidOption(`\`${name}\` must be a checkpoint saver`);
  }
  if (primary === secondary) throw invalidOption("`primary` and `secondary` must be two savers");
  return {
    mode: oneOf("mode", mode, ["sync", "async"]),
    onSecondaryDown: oneOf("onSecondaryDown", options.onSecondaryDown ?? "reject", ["reject", "degrade"]),
    onQueueFull: oneOf("onQueueFull", options.onQueueFull ?? "wait", ["wait", "resync"]),
    queueLimit: positive("queueLimit", options.queueLimit ?? 10_000),
    queueBytes: positive("queueBytes", options.queueBytes ?? 64 * 1024 * 1024),
    failureThreshold: positive("failureThreshold", options.failureThreshold ?? 3),
    timeoutMs: delay("timeoutMs", positive("timeoutMs", options.timeoutMs ?? 15_000)),
    checkIntervalMs: delay("checkIntervalMs", positive("checkIntervalMs", options.checkIntervalMs ?? 5_000)),
    failbackDelayMs: delay("failbackDelayMs", options.failbackDelayMs ?? 30_000),
    isOutage: options.isOutage ?? isOutage,
    serde: options.serde ?? ownSerde(secondary) ?? ownSerde(primary) ?? new Serializer(),
    onEvent: (event) => {
      try {
        onEvent?.(event);
      } catch {
        // A listener is told; it has no say in what is stored.
      }
    },
    closeSavers: options.closeSavers ?? false,
  };
}

/** A saver's serializer, unless it is one of those whose values the pack's own copies as they are. */
function ownSerde({ serde }: AnySaver): SerializerProtocol | undefined {
  if (serde === undefined || serde instanceof Serializer) return undefined;
  return serde.constructor.name === "JsonPlusSerializer" ? undefined : serde;
}

function oneOf<T extends string>(name: string, value: T, allowed: readonly T[]): T {
  if (allowed.includes(value)) return value;
  throw invalidOption(`\`${name}\` must be ${allowed.map((each) => `"${each}"`).join(" or ")}`);
}

function positive(name: string, value: number): number {
  if (typeof value === "number" && value > 0) return value;
  throw invalidOption(`\`${name}\` must be a number above 0`);
}

/** Timers take 31 bits, and run at once beyond them. */
function delay(name: string, value: number): number {
  if (typeof value === "number" && value >= 0 && value < 2 ** 31) return value;
  throw invalidOption(`\`${name}\` must be a number of milliseconds, 0 or more and less than 2^31`);
}

function invalidOption(what: string): InvalidInputError {
  return new InvalidInputError("INVALID_OPTION", `Invalid option of ReplicatedSaver: ${what}.`);
}
