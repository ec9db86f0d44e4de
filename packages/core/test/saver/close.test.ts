import { expect, it } from "vitest";

import { InMemorySaver, MemoryStore } from "../../src/index.js";
import { checkpoint, config, metadata } from "../support.js";

it("close lets the writes under way finish before the store is closed, and refuses others", async () => {
  const store = new MemoryStore();
  const saver = new InMemorySaver({ store });
  const seen: string[] = [];
  let goOn!: () => void;
  const stalled = new Promise<void>((resolve) => (goOn = resolve));
  const put = store.putCheckpoint.bind(store);
  store.putCheckpoint = async (...args) => {
    await stalled;
    const result = await put(...args);
    seen.push("stored");
    return result;
  };
  store.close = async () => {
    seen.push("closed");
  };
  await saver.setup();
  const putting = saver.put(config("t"), checkpoint({ a: 1 }), metadata(), { a: 1 });
  const closing = saver.close();
  const again = saver.close();
  await expect(saver.getTuple(config("t"))).rejects.toMatchObject({ code: "SAVER_CLOSED" });
  expect(seen).toEqual([]);
  goOn();
  await Promise.all([putting, closing, again]);
  expect(seen).toEqual(["stored", "closed"]);
});
