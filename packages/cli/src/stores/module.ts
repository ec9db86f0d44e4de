import { stat } from "node:fs/promises";
import { resolve } from "node:path";

import { defaultExports, importFile, isClass, isObject, isSaver } from "@langgraph-savers/command/modules";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { CommandError } from "../command/errors.js";
import type { Opener } from "./open.js";
import { threadsOf } from "./scan.js";
import { isPackSaver } from "./store.js";

/** `./saver.ts`: a module of the user's that exports a saver, or a function that returns one. */
export const openModule: Opener = async (address, context) => {
  const path = resolve(context.folder, address);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new CommandError(`There is no file ${address}.`);
  if (found.isDirectory())
    throw new CommandError(`${address} is a directory. A store of files is written file:${address}`);
  const saver = await exportedSaver(await importFile(path, address), address);
  return {
    kind: "module",
    label: context.label,
    identity: `module:${path}`,
    saver,
    threads: (options) => threadsOf(saver, options),
    ...(isPackSaver(saver) ? { taskWrites: (tuple) => saver.taskWrites(tuple) } : {}),
    close: () => closeSaver(saver),
  };
};

async function exportedSaver(exports: unknown, name: string): Promise<BaseCheckpointSaver> {
  const named = isObject(exports) ? [exports["saver"], exports["checkpointer"]] : [];
  for (const candidate of [...defaultExports(exports), ...named]) {
    const made: unknown =
      typeof candidate === "function" && !isClass(candidate as () => unknown)
        ? await (candidate as () => unknown)()
        : candidate;
    if (isSaver(made)) return made;
    if (isObject(made) && isSaver(made["saver"])) return made["saver"];
  }
  throw new CommandError(
    `${name} exports no saver. Export one, or a function that returns one, as its default:\n` +
      "  export default new FileSaver('./checkpoints', { encryption });",
  );
}

/** A saver of the pack has `close`; others have `end`, or nothing. */
async function closeSaver(saver: BaseCheckpointSaver): Promise<void> {
  const methods = saver as unknown as Record<string, unknown>;
  const close = [methods["close"], methods["end"]].find((method) => typeof method === "function");
  if (close !== undefined) await (close as () => unknown).call(saver);
}
