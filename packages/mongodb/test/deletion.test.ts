import { Collection } from "mongodb";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { checkpoint, collect, config, idOf, metadata, text } from "@langgraph-savers/test/checkpoints";
import { CommandCounter, place } from "./support/place.js";

const WEEK = 7 * 24 * 60 * 60_000;

describe("deleteThread", () => {
  it("leaves nothing of the thread but the note that it was deleted", async () => {
    const here = place();
    const saver = here.saver();
    await saver.put(config("t"), checkpoint(idOf(0), { a: text(50_000, 1) }), metadata(), { a: 1 });
    await saver.putWrites(config("t", idOf(0), "n"), [["c", text(50_000, 2)]], "task");
    await saver.put(config("tt"), checkpoint(idOf(0), { a: 1 }), metadata(), { a: 1 });
    await saver.deleteThread("t");
    const left = await here.documents.find({ "_id.t": "t" } as object).toArray();
    expect(left).toEqual([{ _id: { t: "t", k: "a" }, g: expect.any(String), x: expect.any(Date) }]);
    expect(await saver.getTuple(config("tt"))).toBeDefined();
  });

  it("of a thread that is not there writes nothing", async () => {
    const here = place();
    await here.saver().deleteThread("t");
    expect(await here.documents.countDocuments()).toBe(0);
  });

  it("a thread in use again is no longer noted as deleted, and is deleted again as any other", async () => {
    const here = place();
    const saver = here.saver();
    for (let round = 0; round < 3; round++) {
      await saver.put(config("t"), checkpoint(idOf(round), { a: round }), metadata(), { a: 1 });
      expect(await here.documents.countDocuments({ x: { $exists: true } })).toBe(0);
      expect((await collect(here.saver().list({}))).map((tuple) => tuple.checkpoint.id)).toEqual([
        idOf(round),
      ]);
      await saver.deleteThread("t");
      expect(await collect(here.saver().list({}))).toEqual([]);
    }
  });

  it("forgets old deletions, and takes what a racing commit left with them", async () => {
    const here = place();
    const saver = here.saver();
    await saver.put(config("old"), checkpoint(idOf(0), { a: 1 }), metadata(), { a: 1 });
    const [late] = await here.documents.find({ "_id.t": "old", "_id.k": "r" } as object).toArray();
    await saver.deleteThread("old");
    await here.documents.insertOne(late!);
    expect(await saver.getTuple(config("old"))).toBeUndefined();
    await here.documents.updateOne(
      { "_id.t": "old", "_id.k": "a" },
      {
        $set: { x: new Date(Date.now() - WEEK - 1000) },
      },
    );
    await saver.deleteThread("another");
    expect(await here.documents.countDocuments()).toBe(0);
    expect(await here.saver().getTuple(config("old"))).toBeUndefined();
  });

  it("leaves registers alone, also when it is forgotten; without them it is", async () => {
    const here = place();
    const saver = here.saver();
    await saver.put(config("old"), checkpoint(idOf(0), { a: 1 }), metadata(), { a: 1 });
    await saver.store.setRegister("old", "lease", "mine", undefined);
    const forgettable = () =>
      here.documents.updateOne(
        { "_id.t": "old", "_id.k": "a" },
        { $set: { x: new Date(Date.now() - WEEK - 1000) } },
      );
    await saver.deleteThread("old");
    await forgettable();
    await saver.deleteThread("another");
    expect(await saver.store.getRegister("old", "lease")).toBe("mine");
    expect(await here.documents.countDocuments({ x: { $lt: new Date(Date.now() - WEEK) } })).toBe(0);
    expect(await saver.store.setRegister("old", "lease", undefined, "mine")).toBe(true);
    await forgettable();
    await saver.deleteThread("another");
    expect(await here.documents.countDocuments()).toBe(0);
  });

  it("of more documents than one command takes away", async () => {
    const here = place({ monitorCommands: true });
    const saver = here.saver();
    await saver.put(config("t"), checkpoint(idOf(0), { a: 1 }), metadata(), { a: 1 });
    const more = Array.from({ length: 11_000 }, (_, at) => ({
      _id: { t: "t", k: "b", g: "0", h: Buffer.from(String(at)) },
    }));
    await here.documents.insertMany(more as object[]);
    const counter = new CommandCounter(here.client);
    await saver.deleteThread("t");
    expect(counter.take().filter((name) => name === "delete")).toHaveLength(3);
    expect(await here.documents.countDocuments()).toBe(1);
  });

  it("of two at once, the slower one removes nothing that is stored after the other", async () => {
    const here = place();
    const saver = here.saver();
    const values = { big: text(50_000, 1) };
    const put = (at: number) => saver.put(config("t"), checkpoint(idOf(at), values), metadata(), { big: 1 });
    await put(0);
    const deleteMany = Reflect.get(Collection.prototype, "deleteMany") as Collection["deleteMany"];
    const removing = vi.spyOn(Collection.prototype, "deleteMany");
    onTestFinished(() => removing.mockRestore());
    removing.mockImplementationOnce(async function (this: Collection, ...args) {
      await here.saver().deleteThread("t");
      await put(1);
      return deleteMany.apply(this, args);
    });
    await saver.deleteThread("t");
    const [tuple, ...others] = await collect(here.saver().list(config("t")));
    expect(tuple?.checkpoint).toMatchObject({ id: idOf(1), channel_values: values });
    expect(others).toEqual([]);
    await here.saver().deleteThread("t");
    expect(await here.documents.countDocuments()).toBe(1);
  });

  it("while other savers write: each sees its own next checkpoint whole, and nothing from before", async () => {
    const here = place();
    const savers = Array.from({ length: 4 }, () => here.saver());
    const big = text(30_000, 9);
    const progress = { rounds: 0 };
    const write = async (saver: (typeof savers)[number], who: number) => {
      for (let at = 0; at < 25; at++) {
        const id = idOf(at * 10 + who);
        await saver.put(config("t"), checkpoint(id, { big, who }), metadata(at), { big: 1, who: 1 });
        // Gone already, or whole.
        const values = (await saver.getTuple(config("t", id)))?.checkpoint.channel_values;
        expect(values ?? { big, who }).toEqual({ big, who });
        progress.rounds += 1;
      }
    };
    const deleting = (async () => {
      while (progress.rounds < 70) await here.saver().deleteThread("t");
    })();
    await Promise.all([...savers.slice(0, 3).map(write), deleting]);
    await savers[3]!.deleteThread("t");
    expect(await collect(here.saver().list({}))).toEqual([]);
    await savers[0]!.put(config("t"), checkpoint(idOf(1), { big }), metadata(), { big: 1 });
    expect((await here.saver().getTuple(config("t")))?.checkpoint.channel_values).toEqual({ big });
  });
});
