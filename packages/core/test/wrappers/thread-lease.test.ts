import { setTimeout } from "node:timers/promises";

import { afterEach, describe, expect, it, vi } from "vitest";

import { InMemorySaver, MemoryStore, withThreadLease } from "../../src/index.js";
import { checkpoint, config, metadata } from "../support.js";

afterEach(() => {
  vi.useRealTimers();
});

/** Two savers on one store, as two processes would have. */
function two() {
  const store = new MemoryStore();
  return [new InMemorySaver({ store }), new InMemorySaver({ store })] as const;
}

const put = (saver: InMemorySaver, threadId = "t") =>
  saver.put(config(threadId), checkpoint({ x: 1 }), metadata(), { x: 1 });

describe("withThreadLease", () => {
  it("lets one in at a time, and the next when it is done", async () => {
    const [a, b] = two();
    let inside = 0;
    let most = 0;
    let tokens: number[] = [];
    const work = async ({ token }: { token: number }) => {
      tokens.push(token);
      most = Math.max(most, (inside += 1));
      await put(a);
      inside -= 1;
    };
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        withThreadLease(at % 2 === 0 ? a : b, "t", work, { waitMs: 60_000 }),
      ),
    );
    expect(most).toBe(1);
    expect(tokens).toHaveLength(12);
    expect(tokens).toEqual(tokens.map((_, at) => tokens[0]! + at));
  });

  it("fails at once where it is held, and is free for another thread", async () => {
    const [a, b] = two();
    let leave: () => void = () => {};
    const held = withThreadLease(a, "t", () => new Promise<void>((resolve) => (leave = resolve)));
    await vi.waitFor(async () => {
      await expect(withThreadLease(b, "t", () => 1)).rejects.toMatchObject({ code: "LEASE_HELD" });
    });
    expect(await withThreadLease(b, "u", () => 1)).toBe(1);
    leave();
    await held;
    expect(await withThreadLease(b, "t", () => 2)).toBe(2);
  });

  it("gives it back when the work fails", async () => {
    const [a, b] = two();
    const failing = withThreadLease(a, "t", () => Promise.reject(new Error("oh")));
    await expect(failing).rejects.toThrow("oh");
    expect(await withThreadLease(b, "t", () => 1)).toBe(1);
  });

  it("stops the puts and writes of a holder that was paused until its lease had gone to another", async () => {
    const [a, b] = two();
    vi.useFakeTimers({ toFake: ["Date"] });
    let wake: () => void = () => {};
    const paused = withThreadLease(
      a,
      "t",
      async () => {
        const { configurable } = await put(a);
        await new Promise<void>((resolve) => (wake = resolve));
        await expect(put(a)).rejects.toMatchObject({ code: "LEASE_LOST" });
        await expect(a.putWrites({ configurable: configurable! }, [["x", 1]], "task")).rejects.toMatchObject({
          code: "LEASE_LOST",
        });
        // Another thread is none of the lease's business.
        await put(a, "u");
      },
      { ttlMs: 60_000 },
    );
    await vi.waitFor(async () => expect(await a.exists("t")).toBe(true));
    vi.setSystemTime(Date.now() + 60_001);
    await withThreadLease(b, "t", async () => {
      await put(b);
      wake();
      await expect(paused).rejects.toMatchObject({ code: "LEASE_LOST" });
    });
    expect((await b.stats()).checkpoints).toBe(3);
  });

  it("is renewed while the work goes on, and tells it when it is lost", async () => {
    const [a, b] = two();
    await withThreadLease(
      a,
      "t",
      async () => {
        // Longer than a term.
        const end = performance.now() + 1_500;
        while (performance.now() < end) {
          await expect(withThreadLease(b, "t", () => 1)).rejects.toMatchObject({ code: "LEASE_HELD" });
          await setTimeout(20);
        }
      },
      { ttlMs: 1_000 },
    );
    const lost = withThreadLease(
      a,
      "t",
      async ({ signal }) => {
        const term = await a.store.getRegister("t", "lease-term");
        await a.store.setRegister("t", "lease-term", '{"id":"other","until":0}', term);
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      },
      { ttlMs: 100 },
    );
    await expect(lost).rejects.toMatchObject({ code: "LEASE_LOST" });
  });

  it("is given back whole when the work ends while a renewal is under way", async () => {
    const store = new MemoryStore();
    const saver = new InMemorySaver({ store });
    const setRegister = store.setRegister.bind(store);
    let answer: () => void = () => {};
    await withThreadLease(
      saver,
      "t",
      async () => {
        await new Promise<void>((renewed) => {
          store.setRegister = async (...call) => {
            store.setRegister = setRegister;
            const done = await setRegister(...call);
            renewed();
            await new Promise<void>((resolve) => (answer = resolve));
            return done;
          };
        });
      },
      { ttlMs: 300 },
    );
    answer();
    await vi.waitFor(async () => expect(await store.getRegister("t", "lease-term")).toBeUndefined());
  });

  it("is lost when it was not renewed in time, also where nobody has taken it and the store does not answer", async () => {
    const store = new MemoryStore();
    const saver = new InMemorySaver({ store });
    const setRegister = store.setRegister.bind(store);
    const hanging = withThreadLease(
      saver,
      "t",
      async ({ signal }) => {
        await put(saver);
        store.setRegister = () => new Promise<never>(() => {});
        // Told while the renewal still hangs.
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        await expect(put(saver)).rejects.toMatchObject({ code: "LEASE_LOST" });
        store.setRegister = setRegister;
      },
      { ttlMs: 100 },
    );
    await expect(hanging).rejects.toMatchObject({ code: "LEASE_LOST" });
    expect((await saver.stats()).checkpoints).toBe(1);
    expect(await withThreadLease(saver, "t", () => 1)).toBe(1);
  });

  it("is lost by a holder that was too busy to renew it", async () => {
    const [a] = two();
    const busy = withThreadLease(
      a,
      "t",
      async () => {
        const end = performance.now() + 150;
        while (performance.now() < end);
        await expect(put(a)).rejects.toMatchObject({ code: "LEASE_LOST" });
      },
      { ttlMs: 100 },
    );
    await expect(busy).rejects.toMatchObject({ code: "LEASE_LOST" });
    expect(await a.exists("t")).toBe(false);
  });

  it("of a holder that died with its clock ahead ends for those who wait", async () => {
    const [a] = two();
    const term = { id: "dead", until: Date.now() + 24 * 3600_000, ttlMs: 200 };
    await a.store.setRegister("t", "lease-term", JSON.stringify(term), undefined);
    await expect(withThreadLease(a, "t", () => 1)).rejects.toMatchObject({ code: "LEASE_HELD" });
    expect(await withThreadLease(a, "t", () => 1, { waitMs: 60_000 })).toBe(1);
  });

  it("what was done under it is kept where it cannot be given back, and it ends by itself", async () => {
    const store = new MemoryStore();
    const saver = new InMemorySaver({ store });
    const setRegister = store.setRegister.bind(store);
    const work = async () => {
      await put(saver);
      store.setRegister = () => Promise.reject(new Error("away"));
      return "done";
    };
    expect(await withThreadLease(saver, "t", work, { ttlMs: 100 })).toBe("done");
    store.setRegister = setRegister;
    expect(await withThreadLease(saver, "t", () => 1, { waitMs: 60_000 })).toBe(1);
  });

  it("waiting for it ends with the signal", async () => {
    const [a, b] = two();
    await withThreadLease(a, "t", async () => {
      const stop = new AbortController();
      const waiting = withThreadLease(b, "t", () => 1, { waitMs: Infinity, signal: stop.signal });
      stop.abort();
      await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    });
  });

  it("refuses terms that make no sense", async () => {
    const [a] = two();
    for (const options of [{ ttlMs: 0 }, { ttlMs: Number.NaN }, { waitMs: -1 }])
      await expect(withThreadLease(a, "t", () => 1, options)).rejects.toMatchObject({
        code: "INVALID_INPUT",
      });
  });
});
