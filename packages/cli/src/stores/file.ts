import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { importInstalled } from "@langgraph-savers/command/modules";
import type * as FileSavers from "@langgraph-savers/file";

import { CommandError, UsageError } from "../command/errors.js";
import { fileChecks } from "../doctor/file.js";
import type { Opener } from "./open.js";
import { threadsOf } from "./scan.js";

type FilePackage = typeof FileSavers;

const DURABILITIES = ["sync", "group", "none"] as const;

/** `file:./checkpoints`, `file:///var/checkpoints`; a copy into it may be told `?durability=group`. */
export const openFile: Opener = async (address, context) => {
  const { path, durability } = fileAddress(address, context.folder);
  const isThere = await exists(join(path, "format.json"));
  if (!isThere && context.access === "absent-is-empty") return undefined;
  if (!isThere && context.access === "read")
    throw new CommandError(`There is no store in ${path}: it has no format.json. Is the path right?`);
  const { FileSaver } = await importInstalled<FilePackage>(context.folder, "@langgraph-savers/file");
  const saver = new FileSaver(path, durability === undefined ? {} : { durability });
  return {
    kind: "file",
    label: context.label,
    identity: `file:${path}`,
    saver,
    threads: (options) => threadsOf(saver, options),
    taskWrites: (tuple) => saver.taskWrites(tuple),
    checks: (options) => fileChecks(path, options),
    close: () => saver.close(),
  };
};

/** The directory that an address names. */
export function fileAddress(address: string, folder: string) {
  const [, plain = "", asked] = /^(.*?)(?:\?durability=(.*))?$/s.exec(address) ?? [];
  const durability = DURABILITIES.find((each) => each === asked);
  if (asked !== undefined && durability === undefined)
    throw new UsageError(`durability is one of: ${DURABILITIES.join(", ")}.`);
  if (plain === "") throw new UsageError("A file store needs a path: file:./checkpoints");
  const path = plain.startsWith("//") ? fileURLToPath(`file:${plain}`) : resolve(folder, plain);
  return { path, durability };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
