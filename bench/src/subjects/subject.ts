import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

/** Where a subject keeps its data. Plain data, so that another process can open the same. */
export interface Place {
  folder: string;
  /** Unique in the run; letters, digits and `-`. */
  name: string;
  mongodbUri: string;
  dynamodbEndpoint: string;
}

/** Counted since the subject was opened. */
export interface Counts {
  requests: number;
  /** Requests one after the other: those under way together are one. */
  roundTrips: number;
  readUnits?: number;
  writeUnits?: number;
}

/** A saver over its data, with what tells how much it stores and sends. */
export interface Opened {
  saver: BaseCheckpointSaver;
  /** A saver over the same data and connection that has seen none of it yet. */
  cold: () => Promise<{ saver: BaseCheckpointSaver; close: () => Promise<void> }>;
  /** Bytes that the backend keeps now. Takes time of its own: never called while the clock runs. */
  stored: () => Promise<number>;
  /** Bytes on the server's disk, where it compresses them. */
  disk?: () => Promise<number>;
  counts?: () => Counts;
  /** Ends the connection and keeps the data. */
  close: () => Promise<void>;
  /** Removes the data, before `close`; files go with their folder. */
  remove?: () => Promise<void>;
}

/** Opens the subject's data, or makes an empty place for it. */
export type Open = (place: Place) => Promise<Opened>;

export async function nothing(): Promise<void> {}
