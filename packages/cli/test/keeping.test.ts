import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { displayWidth } from "@langgraph-savers/command/terminal";
import { MongoClient } from "mongodb";
import { describe, expect, inject, it } from "vitest";

import { json, langgraphSavers } from "./support/command.js";
import { putStep, putThread } from "./support/histories.js";
import { DATABASE, newStore, opened, scratch } from "./support/stores.js";

const folder = scratch();

async function filled(kind: Parameters<typeof newStore>[0], ...threads: string[]): Promise<string> {
  const url = newStore(kind, folder);
  await opened(url, async (_, saver) => {
    for (const id of threads) await putThread(saver, id);
  });
  return url;
}

/** Overwrites some bytes in the middle of a thread's log, as a bad disk would. */
function damage(url: string, threadId: string): void {
  const threads = join(url.slice("file:".length), "threads");
  const log = readdirSync(threads, { recursive: true, encoding: "utf8" }).find((name) =>
    name.includes(`${threadId}~`),
  );
  const path = join(threads, log!);
  const bytes = readFileSync(path);
  bytes.fill("?", Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 40);
  writeFileSync(path, bytes);
}

const checkpointsOf = async (url: string) =>
  (await json<{ threadId: string; checkpoints: number }[]>(["threads", url, "--sort", "id"])).map(
    ({ threadId, checkpoints }) => `${threadId} ${checkpoints}`,
  );

describe("prune", () => {
  it.each(["file", "mongodb", "dynamodb"] as const)(
    "deletes from %s what the policy does not keep",
    async (kind) => {
      const url = await filled(kind, "a", "b");
      const args = ["prune", url, "--keep-last", "1", "--drop-interrupted"];
      const dry = await langgraphSavers([...args, "--dry-run"]);
      expect(dry).toMatchObject({
        code: 0,
        out: expect.stringContaining("4 checkpoints would be deleted, 2 kept."),
      });
      expect(dry.out).toMatch(/^a +2 +1 +1 last$/m);
      expect(await checkpointsOf(url)).toEqual(["a 3", "b 3"]);
      expect(await json([...args, "b", "--yes"])).toMatchObject({
        deleted: 2,
        kept: 1,
        threads: [{ threadId: "b" }],
      });
      expect(await checkpointsOf(url)).toEqual(["a 3", "b 1"]);
      expect(await langgraphSavers(["verify", url])).toMatchObject({ code: 0 });
    },
  );

  it("asks first and says what for, and does nothing where it is not told yes", async () => {
    const url = await filled("file", "a", "b");
    const args = ["prune", url, "--keep-last", "1", "--drop-interrupted"];
    expect(await langgraphSavers(args)).toMatchObject({
      code: 2,
      err: expect.stringContaining("pass --yes"),
    });
    const no = await langgraphSavers(args, { answer: "" });
    expect(no).toMatchObject({
      code: 2,
      err: expect.stringMatching(/4 checkpoints of 2 threads in\s+file:/),
    });
    expect(await checkpointsOf(url)).toEqual(["a 3", "b 3"]);
    expect(await langgraphSavers(args, { answer: "y" })).toMatchObject({ code: 0 });
    expect(await checkpointsOf(url)).toEqual(["a 1", "b 1"]);
  });

  it("deletes whole threads that are old enough, and never all of them by accident", async () => {
    const url = await filled("file", "a", "b");
    const args = ["prune", url, "--delete-threads", "--yes"];
    expect(await langgraphSavers(args)).toMatchObject({
      code: 2,
      err: expect.stringContaining("every thread"),
    });
    expect(await json([...args, "--older-than", "1d"])).toMatchObject({ deleted: 0, kept: 6 });
    expect(await json([...args, "a"])).toMatchObject({ deleted: 3 });
    expect(await checkpointsOf(url)).toEqual(["b 3"]);
  });

  it("passes over a thread that cannot be read, and says so", async () => {
    const url = await filled("file", "a", "broken", "c");
    damage(url, "broken");
    const { code, out } = await langgraphSavers([
      "prune",
      url,
      "--keep-last",
      "1",
      "--drop-interrupted",
      "--yes",
    ]);
    expect(code).toBe(1);
    expect(out).toContain("4 checkpoints deleted, 2 kept");
    expect(out).toMatch(/✗ .*"broken"/s);
    expect(out).toContain("1 thread cannot be read");
  });

  it("needs to be told what goes, and a store of the pack", async () => {
    const url = await filled("official-sqlite", "a");
    expect((await langgraphSavers(["prune", url, "--yes"])).err).toContain("Say what goes");
    expect((await langgraphSavers(["prune", url, "--keep-last", "1", "--yes"])).err).toContain(
      "cannot be pruned",
    );
  });
});

describe("stats", () => {
  it("counts by thread and channel, and what is saved by sharing", async () => {
    const url = newStore("file", folder);
    const text = Array.from({ length: 20_000 }, (_, at) => String(at)).join(" ");
    await opened(url, async (_, saver) => {
      for (let at = 0; at < 5; at++) await putStep(saver, "large", at, { values: { text, note: `v${at}` } });
      await putThread(saver, "small");
    });
    interface Counted {
      total: { threads: number; checkpoints: number; storedBytes: number; wholeBytes: number };
      threads: { threadId: string; storedBytes: number }[];
      channels: {
        channel: string;
        values: number;
        wholeBytes: number;
        distinctBytes: number;
        largest: number;
      }[];
    }
    const counted = await json<Counted>(["stats", url]);
    expect(counted.total).toMatchObject({ threads: 2, checkpoints: 8 });
    expect(counted.threads.map(({ threadId }) => threadId)).toEqual(["large", "small"]);
    // A long text is kept as it is, without the quotes of JSON.
    const bytes = text.length;
    expect(counted.channels[0]).toEqual({
      channel: "text",
      values: 5,
      wholeBytes: 5 * bytes,
      distinctBytes: bytes,
      largest: bytes,
    });
    expect(counted.channels.find(({ channel }) => channel === "note")).toMatchObject({ values: 6 });
    // The text is stored once.
    expect(counted.total.storedBytes).toBeLessThan(1.1 * bytes);
    const { out } = await langgraphSavers(["stats", url, "--top", "2"]);
    expect(out).toMatch(/times less, by sharing and compression\.$/m);
    expect(out).toMatch(/^… and \d more$/m);
    expect(Math.max(...out.split("\n").map(displayWidth))).toBeLessThanOrEqual(80);
    expect(await langgraphSavers(["stats", url, "nobody"])).toMatchObject({ code: 1 });
  });
});

describe("verify", () => {
  it.each(["file", "mongodb", "dynamodb", "official-sqlite"] as const)("reads all of %s", async (kind) => {
    const url = await filled(kind, "a", "b");
    expect(await langgraphSavers(["verify", url])).toMatchObject({
      code: 0,
      out: "✓ Intact: 6 checkpoints read, every value of them.\n",
    });
    expect(await json(["verify", url, "a"])).toEqual({ intact: 3, problems: [] });
    expect(await langgraphSavers(["verify", url, "nobody"])).toMatchObject({ code: 1 });
  });

  it("tells what is damaged, and of the rest that it is not", async () => {
    const url = await filled("file", "good", "broken");
    damage(url, "broken");
    const { code, out } = await langgraphSavers(["verify", url]);
    expect(code).toBe(1);
    expect(out).toMatch(/✗ broken/);
    expect(out).not.toMatch(/✗ good/);
    const { problems } = await json<{ problems: { code: string; threadId: string }[] }>(["verify", url]);
    expect(problems[0]).toMatchObject({ code: "CHECKPOINT_DAMAGED", threadId: "broken" });
  });
});

describe("repair", () => {
  it("asks first, and does nothing where it is not told yes", async () => {
    const url = await filled("file", "good", "broken");
    damage(url, "broken");
    expect(await langgraphSavers(["repair", url])).toMatchObject({
      code: 2,
      err: expect.stringContaining("pass --yes"),
    });
    const no = await langgraphSavers(["repair", url], { answer: "n" });
    expect(no).toMatchObject({ code: 2, err: expect.stringContaining("Nothing was done.") });
    expect(no.err).toContain("1 thread of");
    expect(await langgraphSavers(["verify", url])).toMatchObject({ code: 1 });

    expect(await langgraphSavers(["repair", url], { answer: "yes" })).toMatchObject({
      code: 0,
      out: expect.stringContaining("1 thread repaired"),
    });
    expect(await langgraphSavers(["verify", url])).toMatchObject({ code: 0 });
    expect(await json(["verify", url, "good"])).toMatchObject({ intact: 3 });
  });

  it("goes on with --yes, and leaves what is intact alone", async () => {
    const url = await filled("file", "good", "broken");
    expect(await langgraphSavers(["repair", url])).toMatchObject({ code: 0, out: "✓ Nothing is damaged.\n" });
    damage(url, "broken");
    expect(await json(["repair", url, "--yes"])).toMatchObject({ repaired: 1, problems: [] });
  });

  it("is for files only", async () => {
    const url = await filled("mongodb", "a");
    expect(await langgraphSavers(["repair", url, "--yes"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("Only stores of files can be repaired"),
    });
  });
});

interface Checks {
  healthy: boolean;
  checks: { name: string; status: string; finding: string; advice?: string }[];
}

describe("doctor", () => {
  it.each(["file", "mongodb", "dynamodb", "official-sqlite", "official-mongodb"] as const)(
    "finds nothing wrong with %s, and leaves no trace of its probe",
    async (kind) => {
      const url = await filled(kind, "a");
      const threads = await json<unknown[]>(["threads", url]);
      // A saver that is opened for reading only cannot be written to.
      const write = kind === "official-sqlite" ? [] : ["--write"];
      const { checks, healthy } = await json<Checks>(["doctor", url, ...write]);
      expect(checks.filter(({ status }) => status === "fail")).toEqual([]);
      expect(healthy).toBe(true);
      const names = checks.map(({ name }) => name);
      expect(names).toEqual(
        expect.arrayContaining(["Node.js", "packages", "reading", ...(write.length > 0 ? ["writing"] : [])]),
      );
      expect(await json(["threads", url])).toEqual(threads);
    },
  );

  it("misses an index that was dropped, and says what to do", async () => {
    const url = await filled("mongodb", "a");
    const collection = new URL(url.replace(/^mongodb:\/\/[^/]+/, "http://x")).searchParams.get("collection")!;
    const client = new MongoClient(inject("mongodb"));
    await client.db(DATABASE).collection(collection).dropIndex("savers_by_checkpoint");
    await client.close();
    const { checks } = await json<Checks>(["doctor", url]);
    expect(checks.find(({ name }) => name === "indexes")).toMatchObject({
      status: "fail",
      finding: "missing: savers_by_checkpoint",
      advice: expect.stringContaining("setup()"),
    });
  });

  it("warns of a database of the official saver that has no index by thread, until setup() made it", async () => {
    const url = await filled("official-mongodb", "a");
    const indexes = async () =>
      (await json<Checks>(["doctor", url])).checks.filter(({ name }) => name === "indexes");
    const without = { status: "warn", advice: expect.stringContaining("setup()") };
    expect(await indexes()).toMatchObject([without, without]);
    await opened(url, (_, saver) => (saver as unknown as { setup(): Promise<void> }).setup());
    expect(await indexes()).toMatchObject([{ status: "ok" }, { status: "ok" }]);
  });

  it("sees who else may look into a directory", async () => {
    const url = await filled("file", "a");
    chmodSync(url.slice("file:".length), 0o755);
    const { code, out } = await langgraphSavers(["doctor", url]);
    expect(code).toBe(0);
    expect(out).toMatch(/^! permissions +others may look into it \(mode 755\)/m);
    expect(out).toContain("→ Close it to others");
    expect(out).toContain("All is well, 1 warning.");
  });

  it("says what to look at when the server does not answer", async () => {
    const { code, out } = await langgraphSavers([
      "doctor",
      "mongodb://127.0.0.1:1/app?serverSelectionTimeoutMS=50",
    ]);
    expect(code).toBe(1);
    expect(out).toMatch(/^✗ opening +MongoDB cannot be used/m);
  });
});
