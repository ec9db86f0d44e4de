import { cpSync, readdirSync, readlinkSync, renameSync } from "node:fs";
import { basename, join } from "node:path";

import { describe, expect, it, vi } from "vitest";

import { idOf, onlyLog, put, useBench } from "./support.js";

const done = vi.hoisted((): string[] => []);

// What reaches the disk, in its order.
vi.mock(import("../src/disk/files.js"), async (original) => {
  const files = await original();
  return {
    ...files,
    syncData: async (fd, here) => {
      await files.syncData(fd, here);
      done.push(`sync ${basename(readlinkSync(`/proc/self/fd/${fd}`))}`);
    },
    removeFile: async (path, here) => {
      await files.removeFile(path, here);
      done.push(`remove ${basename(path)}`);
    },
  };
});

/** A process id that no process has: the writer is gone. */
const DEAD = 2 ** 22 + 1;

describe("the journal of a killed process", () => {
  const bench = useBench();

  it("goes only when its logs are on the disk: a power loss may follow, and nothing else brings them back", async () => {
    await put(bench.open({ durability: "group" }), "a", idOf(1), { x: 1 });
    // All that was written is still there, as the operating system keeps it, but nobody has synced the log.
    const copy = join(bench.around, "after the kill");
    cpSync(bench.root, copy, { recursive: true });
    const [journal] = readdirSync(join(copy, "journals"));
    const left = journal!.replace(/^\d+/, String(DEAD));
    renameSync(join(copy, "journals", journal!), join(copy, "journals", left));
    done.length = 0;
    await bench.open({}, copy).setup();
    expect(done).toEqual([`sync ${basename(onlyLog(copy))}`, `remove ${left}`]);
  });

  it("stays where it is not known to be gone, at no cost", async () => {
    await put(bench.open({ durability: "group" }), "a", idOf(1), { x: 1 });
    done.length = 0;
    await bench.open().setup();
    expect(done).toEqual([]);
  });
});
