import { MongoClient } from "mongodb";
import { MongoClient as MongoClient6 } from "mongodb6";
import { inject } from "vitest";

/** The drivers that the saver is tested with; each test file has a client of its own for each. */
export const drivers = {
  "driver 7": (uri: string = inject("mongodbUri")) => new MongoClient(uri),
  "driver 6": (uri: string = inject("mongodbUri")) => new MongoClient6(uri) as unknown as MongoClient,
};

export type Driver = keyof typeof drivers;

let counter = 0;

/** A name for a database or collection that no other test has. */
export function uniqueName(prefix: string): string {
  counter += 1;
  return `${prefix}_${process.pid}_${Date.now().toString(36)}_${counter}`;
}
