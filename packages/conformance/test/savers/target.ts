import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";

import type { ConformanceTarget, CreatedSaver } from "../../src/index.js";
import type { MapSaver } from "./map-saver.js";
import { Storage } from "./storage.js";

export type SaverClass = new (storage?: Storage, serde?: SerializerProtocol) => MapSaver;

/** A saver class with all that a target can offer: a second saver, another serializer, ways to fail. */
export function create(Saver: SaverClass): CreatedSaver {
  const storage = new Storage();
  return {
    saver: new Saver(storage),
    reopen: () => new Saver(storage),
    createWith: ({ serde }) => new Saver(new Storage(), serde),
    faults: {
      failNext(count) {
        storage.failing = count;
      },
      async outage() {
        storage.isDown = true;
        return () => {
          storage.isDown = false;
        };
      },
      async crash() {
        storage.epoch += 1;
      },
    },
  };
}

export function targetOf(name: string, Saver: SaverClass): ConformanceTarget {
  return { name, create: () => create(Saver) };
}
