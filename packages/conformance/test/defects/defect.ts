import type { CreatedSaver } from "../../src/index.js";
import { create, type SaverClass } from "../savers/target.js";

/** A saver with one mistake, as people make them, and the scenario that is there to catch it. */
export interface Defect {
  name: string;
  /** How somebody comes to write this. */
  story: string;
  caughtBy: string;
  create: () => CreatedSaver | Promise<CreatedSaver>;
}

export function defect(caughtBy: string, name: string, story: string, Saver: SaverClass): Defect {
  return { name, story, caughtBy, create: () => create(Saver) };
}
