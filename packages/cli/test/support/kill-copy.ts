import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { spawned } from "./built.js";

/**
 * Starts the built command, and kills it with -9 as soon as its journal has so many threads more.
 *
 * @returns how many threads the journal has then; all of them if it was done before.
 */
export async function killCopy(
  source: string,
  target: string,
  journal: string,
  more: number,
): Promise<number> {
  const done = () => (existsSync(journal) ? readFileSync(journal, "utf8").split("\n").length - 2 : 0);
  const enough = done() + more;
  const { child, ended } = spawned(["copy", source, target, "--journal", journal, "--concurrency", "2"]);
  while (child.exitCode === null && done() < enough) await sleep(2);
  child.kill("SIGKILL");
  const { signal, err } = await ended;
  if (signal !== "SIGKILL") throw new Error(`The copy ended before it could be killed.\n${err}`);
  return done();
}
