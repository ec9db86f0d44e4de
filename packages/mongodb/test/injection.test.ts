import { describe, expect, it } from "vitest";

import { checkpoint, collect, config, metadata } from "@langgraph-savers/test/checkpoints";
import { place } from "./support/place.js";

/** Strings that mean something to MongoDB, its pipelines or JavaScript when they are taken for more than data. */
const HOSTILE = [
  "$where",
  "$$ROOT",
  "$_id",
  "a.b",
  "$g",
  "__proto__",
  "constructor",
  "",
  "\0",
  "\u{10ffff}",
  "{}",
];

describe("ids, tasks, channels and metadata are data", () => {
  it.each(HOSTILE)("%j", async (name) => {
    const here = place();
    const saver = here.saver({ enableTimestamps: true, ttl: 1000 });
    const id = name === "" ? "0" : name;
    const labels = { ...metadata(), source: name, [name]: name, filter: { $gt: "" } } as never;
    const values = Object.fromEntries([[name, { $set: name }]]);
    for (const thread of [name, `${name}x`]) {
      await saver.put(config(thread, undefined, name), checkpoint(id, values), labels, { [name]: 1 });
      await saver.putWrites(config(thread, id, name), [[name, `$${name}`]], name);
      await saver.putWrites(config(thread, id, name), [["__error__", { $literal: name }]], name);
    }
    const cold = here.saver();
    const tuple = await cold.getTuple(config(name, id, name));
    expect(tuple?.checkpoint.channel_values).toEqual(values);
    expect(tuple?.metadata).toEqual(labels);
    expect(tuple?.pendingWrites).toEqual([
      [name, "__error__", { $literal: name }],
      [name, name, `$${name}`],
    ]);
    expect(
      await collect(cold.list(config(name, undefined, name), { filter: { [name]: name } as never })),
    ).toHaveLength(1);
    expect(await collect(cold.list(config(name), { filter: { filter: { $gt: "" } } as never }))).toHaveLength(
      name === "" ? 1 : 0,
    );
    const threads = await collect(cold.listThreads({ prefix: name }));
    expect(threads.map(({ threadId }) => threadId)).toEqual([name, `${name}x`]);
    await saver.deleteThread(name);
    expect((await collect(cold.list({}))).map((left) => left.config.configurable!["thread_id"])).toEqual([
      `${name}x`,
    ]);
  });

  const objects: object[] = [{ $gt: "" }, ["t"], { toString: () => "t" }];
  it.each(objects.map((id) => ({ id })))("an object in place of an id is refused: $id", async ({ id }) => {
    const here = place();
    const thread = { configurable: { thread_id: id } };
    await expect(here.saver().getTuple(thread)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(collect(here.saver().list(thread))).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(here.saver().deleteThread(id as never)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("ids of 10,000 characters", async () => {
    const here = place();
    const long = "\u{1f600}".repeat(5000);
    const saver = here.saver();
    await saver.put(config(long, undefined, long), checkpoint(long, { a: "x".repeat(5000) }), metadata(), {
      a: 1,
    });
    await saver.putWrites(config(long, long, long), [["a", 1]], long);
    const tuple = await here.saver().getTuple(config(long, undefined, long));
    expect(tuple?.checkpoint.id).toBe(long);
    expect(tuple?.pendingWrites).toEqual([[long, "a", 1]]);
    expect(await collect(here.saver().list({}))).toHaveLength(1);
  });
});
