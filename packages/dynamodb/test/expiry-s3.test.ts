import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { DynamoDBSaver, type DynamoDBSaverOptions } from "../src/index.js";
import { newTableName, testClient } from "./support/client.js";
import { config, newId, put, text, values } from "./support/data.js";
import { Gate } from "./support/gate.js";
import { Lifecycle } from "./support/lifecycle.js";
import { objectKeys, s3Options, testS3Client } from "./support/s3.js";

const HOUR = 3600;
const TTL = 24 * HOUR;
/** Two `ttl` and an hour, in whole days, and one more: as the README says. */
const DAYS = 4;
const big = text(12_000, 1);

describe("ttl with values in S3", () => {
  const client = testClient();
  const s3 = testS3Client();
  const bucket = new Lifecycle(s3);
  let tableName: string;
  let prefix: string;
  let now: number;

  beforeEach(() => {
    tableName = newTableName();
    prefix = `${newId()}/`;
    now = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const open = (options: Partial<DynamoDBSaverOptions> = { ttl: TTL }, own = client) =>
    new DynamoDBSaver({ tableName, client: own, scan: true, s3: s3Options(s3, prefix), ...options });
  const pass = async (seconds: number): Promise<void> => {
    vi.setSystemTime((now += seconds * 1000));
    await bucket.sweep(`${prefix}expiring/`, DAYS);
  };
  const plain = async () => (await objectKeys(prefix)).filter((key) => !key.startsWith(`${prefix}expiring/`));
  const expiring = () => objectKeys(`${prefix}expiring/`);
  /** A checkpoint that carries the large value over. */
  const step = (saver: DynamoDBSaver, parent: string, at: number) =>
    put(saver, "t", { big, at }, { parent, changed: ["at"], versions: { big: 1, at: at + 1 } });

  it("a thread that is put to keeps its objects, however old they are; one that is not loses them", async () => {
    let saver = open();
    await put(saver, "idle", { big });
    let parent = await put(saver, "t", { big, at: 0 });
    const [first] = [parent];
    await saver.putWrites(config("t", first), [["w", text(9000, 2)]], "task");
    expect(await plain()).toEqual([]);
    for (let at = 1; at <= 12; at++) {
      await pass(TTL * 0.7);
      if (at % 2 === 0) {
        saver = open();
        await saver.getTuple(config("t"));
      }
      parent = await step(saver, parent, at);
      expect(await values(open(), "t")).toEqual({ big, at });
    }
    const tuple = await open().getTuple(config("t", first));
    expect(tuple?.checkpoint.channel_values).toEqual({ big, at: 0 });
    expect(tuple?.pendingWrites).toEqual([["task", "w", text(9000, 2)]]);
    expect(await expiring()).toHaveLength(2);
    expect(await values(open(), "idle")).toBeUndefined();
    await pass(TTL * (DAYS + 1));
    expect(await values(open(), "t")).toBeUndefined();
    expect(await objectKeys(prefix)).toEqual([]);
  });

  it("turned on later, moves the objects of threads that are put to; turned off again, moves them back", async () => {
    let parent = await put(open({}), "t", { big, at: 0 });
    await put(open({}), "other", { big });
    expect(await plain()).toHaveLength(2);
    // What is younger may belong to a put that is under way, and stays where it is as well.
    await pass(2 * HOUR);
    const later = open();
    await later.getTuple(config("t"));
    parent = await step(later, parent, 1);
    expect(await plain()).toHaveLength(1);
    expect(await expiring()).toHaveLength(1);
    expect(await values(open(), "t")).toEqual({ big, at: 1 });
    await pass(2 * HOUR);
    const without = open({});
    await without.getTuple(config("t"));
    await step(without, parent, 2);
    expect(await expiring()).toEqual([]);
    await pass(TTL * 100);
    expect(await values(open({}), "t")).toEqual({ big, at: 2 });
    expect(await values(open({}), "other")).toEqual({ big });
  });

  it("interrupted at any request, the objects are whole, and the next put finishes", async () => {
    const outcomes: string[] = [];
    for (let failing = 0; outcomes.at(-1) !== "done"; failing++) {
      const thread = `t${failing}`;
      const parent = await put(open({}), thread, { big, at: 0 });
      const ownClient = testClient();
      const gate = new Gate(ownClient);
      const saver = open(undefined, ownClient);
      await saver.getTuple(config(thread));
      let requests = 0;
      gate.fail(() => requests++ === failing);
      const next = (at: number) =>
        put(saver, thread, { big, at }, { parent, changed: ["at"], versions: { big: 1, at } });
      const outcome = await next(2).then(
        () => "done",
        (error: { code: string }) => error.code,
      );
      gate.fail(undefined);
      outcomes.push(outcome);
      expect(await values(open(), thread, parent)).toEqual({ big, at: 0 });
      // An object that was left where it was is not young any more when the next renewal comes.
      await pass(TTL * 0.7);
      await next(3);
      expect(await values(open(), thread)).toEqual({ big, at: 3 });
      expect(await plain()).toEqual([]);
      await saver.deleteThread(thread);
      expect(await expiring()).toEqual([]);
    }
    expect(outcomes.length).toBeGreaterThan(6);
    expect(new Set(outcomes)).toEqual(new Set(["ACCESS_DENIED", "done"]));
  });

  it("two processes that move the objects at once leave none behind and lose none", async () => {
    const parent = await put(open({}), "t", { big, at: 0 });
    const savers = [open(), open()];
    for (const saver of savers) await saver.getTuple(config("t"));
    await pass(2 * HOUR);
    await Promise.all(savers.map((saver, at) => step(saver, parent, at + 1)));
    expect((await values(open(), "t"))!["big"]).toBe(big);
    expect(await plain()).toEqual([]);
    await pass(TTL * (DAYS + 1));
    expect(await objectKeys(prefix)).toEqual([]);
  });

  describe("setup says what the bucket's rules lack", () => {
    const rule = (Days: number, Prefix: string, more = {}) => ({
      Status: "Enabled" as const,
      Filter: { Prefix },
      Expiration: { Days },
      ...more,
    });
    it.each([
      ["no rule", () => [], "SETUP_REQUIRED"],
      ["one for another folder", () => [rule(DAYS, "other/")], "SETUP_REQUIRED"],
      ["one that is off", () => [rule(DAYS, prefix, { Status: "Disabled" })], "SETUP_REQUIRED"],
      [
        "one for objects with a tag",
        () => [rule(DAYS, "", { Filter: { Tag: { Key: "a" } } })],
        "SETUP_REQUIRED",
      ],
      ["one that is too early", () => [rule(DAYS - 1, `${prefix}expiring/`)], "SETUP_MISMATCH"],
      [
        "one that is too early for a part",
        () => [rule(DAYS, prefix), rule(1, `${prefix}expiring/a`)],
        "SETUP_MISMATCH",
      ],
      ["one that fits", () => [rule(DAYS, `${prefix}expiring/`), rule(1, "other/")], undefined],
    ])("%s", async (_, rules, code) => {
      bucket.rules = rules();
      const outcome = await open()
        .setup()
        .then(
          () => undefined,
          (error: { code: string; message: string }) => {
            expect(error.message).toContain(`${DAYS}`);
            return error.code;
          },
        );
      expect(outcome).toBe(code);
      await open({}).setup();
    });
  });
});
