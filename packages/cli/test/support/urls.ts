import { join } from "node:path";

import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { openIfThere, type Access } from "../../src/stores/open.js";
import type { OpenStore } from "../../src/stores/store.js";
import { PACKAGE } from "./command.js";

/** Of all that the tests keep in MongoDB. */
export const DATABASE = "savers_cli";

export type Kind = "file" | "mongodb" | "dynamodb" | "official-sqlite" | "official-mongodb";

let counter = 0;

function uniqueName(prefix: string): string {
  counter += 1;
  return `${prefix}_${process.pid}_${Date.now().toString(36)}_${counter}`;
}

/** The URL of a store that nothing was stored in yet. */
export function storeUrl(kind: Kind, folder: string, servers: { mongodb: string; dynamodb: string }): string {
  const name = uniqueName("store");
  const mongodb = () => servers.mongodb.replace(/\/(\?|$)/, `/${DATABASE}$1`);
  const query = (url: string) => `${url}${url.includes("?") ? "&" : "?"}collection=${name}`;
  switch (kind) {
    case "file":
      return `file:${join(folder, name)}`;
    case "official-sqlite":
      return `official-sqlite:${join(folder, `${name}.db`)}`;
    case "mongodb":
      return query(mongodb());
    case "official-mongodb":
      return `official-${query(mongodb())}&writesCollection=${name}_writes`;
    case "dynamodb":
      return `dynamodb://eu-central-1/${name}?endpoint=${servers.dynamodb}`;
  }
}

/** Opens a store as the command does, for tests that look behind it. */
export async function opened<T>(
  url: string,
  work: (store: OpenStore, saver: BaseCheckpointSaver) => Promise<T>,
  access: Access = "write",
): Promise<T> {
  const io = { folder: PACKAGE, env: {} } as Parameters<typeof openIfThere>[2];
  const store = (await openIfThere(url, access, io))!;
  try {
    return await work(store, store.saver);
  } finally {
    await store.close();
  }
}
