import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import type { CreatedSaver } from "../scenario.js";

export type Serde = BaseCheckpointSaver["serde"];

/** Storage that a built-in target can have as much of as it wants, each place apart from the others. */
export interface Backend<Place> {
  /** Names a place that nothing else uses. */
  place(): Place;
  open(place: Place, serde?: Serde): Promise<OpenSaver> | OpenSaver;
  /** Removes the place with all that is in it; every saver on it is closed by then. */
  remove(place: Place): Promise<void> | void;
}

interface OpenSaver {
  saver: BaseCheckpointSaver;
  close(): Promise<void> | void;
}

/** A saver over a place of its own, with everything that the kit may ask for beside it. */
export async function createOver<Place>(backend: Backend<Place>): Promise<CreatedSaver> {
  const opened: OpenSaver[] = [];
  const places: Place[] = [];
  const open = async (place: Place, serde?: Serde): Promise<BaseCheckpointSaver> => {
    const one = await backend.open(place, serde);
    opened.push(one);
    return one.saver;
  };
  const take = (): Place => {
    const place = backend.place();
    places.push(place);
    return place;
  };
  const home = take();
  return {
    saver: await open(home),
    reopen: () => open(home),
    createWith: ({ serde }) => open(take(), serde),
    cleanup: async () => {
      for (const one of opened) await one.close();
      for (const place of places) await backend.remove(place);
    },
  };
}
