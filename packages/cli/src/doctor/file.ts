import { constants } from "node:fs";
import { access, link, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { formatBytes } from "../render/units.js";
import { bad, clockCheck, info, ok, warn, type Check } from "./check.js";

/** By `statfs`: those that do not append atomically, or have no hard links. */
const UNFIT_FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0x6969: "NFS",
  0x517b: "SMB",
  0xff534d42: "CIFS",
  0xfe534d42: "SMB2",
  0x4d44: "FAT",
  0x2011bab0: "exFAT",
};
const FEW_BYTES = 500_000_000;
const OTHERS = 0o077;

export async function* fileChecks(path: string, { write }: { write: boolean }): AsyncGenerator<Check> {
  yield await permissions(path);
  const { type, bavail, bsize } = await statfs(path);
  const unfit = UNFIT_FILE_SYSTEMS[type];
  yield unfit === undefined
    ? ok("file system", "local")
    : bad(
        "file system",
        unfit,
        "Move the store to a local disk: there appends are atomic and hard links possible.",
      );
  const free = bavail * bsize;
  yield free < FEW_BYTES
    ? warn("disk space", `${formatBytes(free)} free`, "Make room, prune old checkpoints, or move the store.")
    : ok("disk space", `${formatBytes(free)} free`);
  if (write) yield* probe(path);
  else yield info("hard links, clock", "not tried; --write tries them with a file of its own");
}

async function permissions(path: string): Promise<Check> {
  const { mode, uid } = await stat(path);
  const isOpen = await access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  const shown = (mode & 0o777).toString(8);
  if (!isOpen)
    return bad(
      "permissions",
      `this user may not read and write it (mode ${shown}, owner ${uid})`,
      `Give it to this user: chown -R, or chmod u+rwX.`,
    );
  if ((mode & OTHERS) !== 0)
    return warn(
      "permissions",
      `others may look into it (mode ${shown})`,
      `Close it to others: chmod -R go= ${path}`,
    );
  return ok("permissions", `readable and writable for this user alone (mode ${shown})`);
}

async function* probe(path: string): AsyncGenerator<Check> {
  const file = join(path, `doctor-${process.pid}.probe`);
  const second = `${file}-link`;
  try {
    await writeFile(file, "");
    const { mtimeMs } = await stat(file);
    yield clockCheck(Date.now() - mtimeMs, "the file system");
    yield await link(file, second).then(
      () => ok("hard links", "possible"),
      () =>
        bad(
          "hard links",
          "not possible",
          "Move the store to a file system that has them: ext4, xfs, btrfs, APFS, NTFS.",
        ),
    );
  } finally {
    await Promise.all([rm(file, { force: true }), rm(second, { force: true })]);
  }
}
