import {
  checkOptionNames,
  InvalidInputError,
  type Compression,
  type SaverOptions,
} from "@langgraph-savers/core";

import type { Modes } from "./disk/root.js";

/**
 * - `"sync"`: a call returns when what it stored is on the disk, and survives a power loss.
 * - `"group"`: the same promise, kept by one journal that all threads of the process share: faster when many small
 *   checkpoints are written at once.
 * - `"none"`: what was stored survives a crash of the process, not one of the machine.
 */
export type Durability = "sync" | "group" | "none";

/** Options of `FileSaver`. */
export interface FileSaverOptions extends SaverOptions {
  /** Default `"auto"`. */
  compression?: Compression;
  /** Default `"sync"`. */
  durability?: Durability;
  /** Files that the saver keeps open at once, at most. Default 64. */
  maxOpenFiles?: number;
  /** Permissions of new files. Default `0o600`: only the owner reads and writes them. */
  fileMode?: number;
  /** Permissions of new folders. Default `0o700`. */
  folderMode?: number;
}

export interface FileStoreOptions {
  durability: Durability;
  maxOpenFiles: number;
  modes: Modes;
}

export function storeOptions(path: unknown, options: FileSaverOptions): FileStoreOptions {
  checkOptionNames("FileSaver", options, {
    durability: true,
    maxOpenFiles: true,
    fileMode: true,
    folderMode: true,
  });
  const { durability = "sync", maxOpenFiles = 64, fileMode = 0o600, folderMode = 0o700 } = options;
  if (typeof path !== "string" || path === "" || path.includes("\0"))
    throw invalid("the first argument must be the path of a directory");
  if (!["sync", "group", "none"].includes(durability))
    throw invalid('`durability` must be "sync", "group" or "none"');
  if (!Number.isInteger(maxOpenFiles) || maxOpenFiles < 1)
    throw invalid("`maxOpenFiles` must be a whole number, 1 or more");
  for (const [name, mode] of Object.entries({ fileMode, folderMode })) {
    if (!Number.isInteger(mode) || mode < 0 || mode > 0o7777)
      throw invalid(`\`${name}\` must be a file mode such as 0o600`);
  }
  return { durability, maxOpenFiles, modes: { file: fileMode, folder: folderMode } };
}

function invalid(what: string): InvalidInputError {
  return new InvalidInputError("INVALID_OPTION", `Invalid option: ${what}.`);
}
