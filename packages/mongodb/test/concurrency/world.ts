import { text } from "../support/checkpoints.js";

export const THREADS = ["shared", "shared too", "shared:three"];
export const NAMESPACES = ["", "child:1"];
export const TASKS = ["A", "B"];
export const CHECKPOINTS = 40;

export interface Job {
  uri: string;
  dbName: string;
  collectionName: string;
  worker: number;
  operations: number;
}

/** What a process was told to be stored. */
export interface Report {
  puts: string[];
  writes: string[];
  specials: string[];
  /** Checkpoints that it read with values which nobody put. */
  damaged: string[];
}

/** The values of a checkpoint: the same whoever puts it, so that all orders of all calls give one result. */
export function valuesOf(thread: string, namespace: string, number: number): Record<string, unknown> {
  return { big: text(6000 + number * 100, 5), id: `${thread} ${namespace} ${number}` };
}

/** A batch that tells who wrote it: of those of one task the first one stays, whole. */
export function batchOf(worker: number, at: number): [string, unknown][] {
  return [
    ["x", `${worker} ${at}`],
    ["y", { text: text(3000, 9), by: `${worker} ${at}` }],
    ["z", `${worker} ${at}`],
  ];
}
