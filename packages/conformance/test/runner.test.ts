import { EventEmitter } from "node:events";

import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";

import { runConformance, scenarios, type ConformanceOptions, type ScenarioResult } from "../src/index.js";
import { SnapshotSaver } from "./savers/architectures.js";
import { create, targetOf } from "./savers/target.js";

const right = targetOf("right", SnapshotSaver);
const one = ["put.same-id-is-one-checkpoint"];

async function resultOf(options: Partial<ConformanceOptions>): Promise<ScenarioResult> {
  const { results } = await runConformance({ ...right, only: one, ...options });
  expect(results).toHaveLength(1);
  return results[0]!;
}

/** A saver that does something of its own in place of `put`. */
const putting = (put: () => Promise<never>) => () => {
  const created = create(SnapshotSaver);
  created.saver.put = put;
  return created;
};

describe("a run", () => {
  it("prints no warning of LangGraph's own listeners, and leaves their limit as it was", async () => {
    const warnings: Error[] = [];
    const listener = (warning: Error) => warnings.push(warning);
    process.on("warning", listener);
    const before = EventEmitter.defaultMaxListeners;
    await runConformance({ ...right, only: ["parallel"] });
    process.off("warning", listener);
    expect(warnings.filter(({ name }) => name === "MaxListenersExceededWarning")).toEqual([]);
    expect(EventEmitter.defaultMaxListeners).toBe(before);
  });

  it("gives every scenario a saver of its own, and releases it", async () => {
    const open = new Set<object>();
    const savers = new Set<object>();
    await runConformance({
      name: "counted",
      only: ["list"],
      create: () => {
        const created = create(SnapshotSaver);
        savers.add(created.saver);
        open.add(created);
        return { ...created, cleanup: () => void open.delete(created) };
      },
    });
    expect(savers.size).toBe(scenarios.filter(({ group }) => group === "list").length);
    expect(open.size).toBe(0);
  });

  it("reports results in the order of the catalogue, also when several run at a time", async () => {
    const seen: string[] = [];
    const report = await runConformance({
      ...right,
      only: ["getTuple", "put"],
      concurrency: 4,
      onResult: ({ id }) => void seen.push(id),
    });
    const expected = scenarios
      .filter(({ group }) => group === "put" || group === "getTuple")
      .map(({ id }) => id);
    expect(report.results.map(({ id }) => id)).toEqual(expected);
    expect(seen.toSorted()).toEqual(expected.toSorted());
    expect(report).toMatchObject({ name: "right", passed: expected.length, failed: 0, skipped: 0 });
  });

  it("explains a failure: what was expected, and what came", async () => {
    const { status, error } = await resultOf({
      only: ["getTuple.latest-is-greatest-id"],
      ...putNothing(),
    });
    expect(status).toBe("failed");
    expect(error?.message).toContain("is found");
    expect(error?.stack).toContain("getOne");
  });

  it("refuses ids that are not in the catalogue", async () => {
    await expect(runConformance({ ...right, only: ["put.nothing"] })).rejects.toMatchObject({
      code: "UNKNOWN_SCENARIO",
    });
    await expect(runConformance({ ...right, knownGaps: { "put.nothing": "?" } })).rejects.toMatchObject({
      code: "UNKNOWN_SCENARIO",
    });
  });
});

describe("a saver that misbehaves is reported, not suffered:", () => {
  it("create throws", async () => {
    const { status, error } = await resultOf({
      create: () => {
        throw new Error("no database");
      },
    });
    expect([status, error?.message]).toEqual(["failed", "Error: no database"]);
  });

  it("create returns no saver", async () => {
    const { status, error } = await resultOf({ create: (() => ({})) as never });
    expect(status).toBe("failed");
    expect(error?.message).toContain("create() must return { saver }");
  });

  it("create never ends", async () => {
    const { status, error } = await resultOf({ create: () => new Promise(() => {}), timeoutScale: 0.005 });
    expect(status).toBe("failed");
    expect(error?.message).toContain("create() did not end within 0.1 s");
  });

  it("a call never ends, and the saver is released all the same", async () => {
    let released = false;
    const hangs = putting(() => new Promise(() => {}));
    const { status, error } = await resultOf({
      create: () => ({ ...hangs(), cleanup: () => void (released = true) }),
      timeoutScale: 0.005,
    });
    expect(status).toBe("failed");
    expect(error?.message).toContain("The scenario did not end within 0.1 s");
    expect(released).toBe(true);
  });

  it("every call never ends: after some the rest is not waited for", async () => {
    const report = await runConformance({
      name: "stuck",
      create: putting(() => new Promise(() => {})),
      only: ["put", "channels"],
      timeoutScale: 0.001,
    });
    expect(report.passed).toBe(0);
    expect(report.results.filter(({ error }) => error?.message.includes("did not end"))).toHaveLength(5);
    expect(report.results.at(-1)?.error?.message).toContain("Not tried");
  });

  it("a saver that arrives after its time is released too", async () => {
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let arrive!: () => void;
    const arriving = new Promise<void>((resolve) => (arrive = resolve));
    const { status } = await resultOf({
      create: async () => {
        await arriving;
        return { ...create(SnapshotSaver), cleanup: release };
      },
      timeoutScale: 0.005,
    });
    expect(status).toBe("failed");
    arrive();
    await released;
  });

  it("leaves a rejection behind that nobody handles", async () => {
    const { status, error } = await resultOf({
      create: () => {
        void Promise.reject(new Error("forgotten"));
        return create(SnapshotSaver);
      },
    });
    expect(status).toBe("failed");
    expect(error?.message).toContain("An error reached nobody");
    expect(error?.message).toContain("forgotten");
  });

  it("throws from a callback", async () => {
    const { status, error } = await resultOf({
      create: () => {
        setImmediate(() => {
          throw new Error("thrown at nobody");
        });
        return create(SnapshotSaver);
      },
    });
    expect(status).toBe("failed");
    expect(error?.message).toContain("thrown at nobody");
  });

  it("throws something that is no error", async () => {
    const { status, error } = await resultOf({
      create: putting(() => Promise.reject("just text")),
    });
    expect([status, error?.message]).toEqual(["failed", "Something that is no Error was thrown: just text"]);
  });

  it("cleanup fails", async () => {
    const { status, error } = await resultOf({
      create: () => ({ ...create(SnapshotSaver), cleanup: () => Promise.reject(new Error("still in use")) }),
    });
    expect([status, error?.message]).toEqual(["failed", "Error: still in use"]);
  });

  it("a walk over ancestors never gives way", async () => {
    const { status, error } = await resultOf({
      only: ["deltaHistory.cycle-ends"],
      create: () => ({ saver: new MemorySaver() }),
    });
    expect([status, error?.message]).toEqual(["failed", "The walk over the ancestors does not end"]);
  });

  it("listeners of the process are as they were afterwards", async () => {
    const before = process.listeners("unhandledRejection");
    await resultOf({});
    expect(process.listeners("unhandledRejection")).toEqual(before);
  });
});

describe("known gaps", () => {
  const gap = { [one[0]!]: "it appends" };

  it("that fail are expected failures", async () => {
    const result = await resultOf({
      knownGaps: gap,
      create: putting(() => Promise.reject(new Error("not yet"))),
    });
    expect(result).toMatchObject({ status: "expected-failure", reason: "it appends" });
  });

  it("that pass are failures, so that the list is kept up to date", async () => {
    const report = await runConformance({ ...right, only: one, knownGaps: gap });
    expect(report.results[0]).toMatchObject({ status: "unexpected-pass", reason: "it appends" });
    expect(report.failed).toBe(1);
  });
});

/** MemorySaver whose puts go nowhere. */
function putNothing(): Partial<ConformanceOptions> {
  return {
    create: () => {
      const saver = new MemorySaver();
      saver.put = async (config) => config;
      return { saver };
    },
  };
}
