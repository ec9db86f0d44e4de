import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";

import { runConformance, scenarios } from "../src/index.js";
import { SnapshotSaver } from "./savers/architectures.js";
import { create, targetOf } from "./savers/target.js";

const only = [
  "reopen.put-is-seen",
  "serde.round-trip",
  "deltaHistory.starts-at-parent",
  "faults.transient-put",
];

describe("capabilities", () => {
  it("are found in the saver and in what came with it", async () => {
    const { capabilities, passed } = await runConformance({ ...targetOf("all", SnapshotSaver), only });
    expect(capabilities).toEqual({
      serde: true,
      reopen: true,
      deltaHistory: true,
      threads: false,
      faults: true,
    });
    expect(passed).toBe(only.length);
  });

  it("that are absent skip what needs them, with the reason", async () => {
    const report = await runConformance({
      name: "bare",
      create: () => ({ saver: new SnapshotSaver() }),
      only,
    });
    expect(report.results.map(({ id, status, reason }) => [id, status, reason])).toEqual([
      ["deltaHistory.starts-at-parent", "passed", undefined],
      ["serde.round-trip", "skipped", "the target has no serde"],
      ["reopen.put-is-seen", "skipped", "the target has no reopen"],
      ["faults.transient-put", "skipped", "the target has no faults"],
    ]);
    expect(report.skipped).toBe(3);
  });

  it("that are declared have the last word", async () => {
    const report = await runConformance({
      ...targetOf("declared", SnapshotSaver),
      capabilities: { reopen: false },
      only,
    });
    expect(report.capabilities.reopen).toBe(false);
    expect(report.results.find(({ id }) => id === "reopen.put-is-seen")?.status).toBe("skipped");
  });

  it("that manage threads are found by their methods", async () => {
    const saver = Object.assign(new SnapshotSaver(), { listThreads: () => [] });
    const { capabilities } = await runConformance({ name: "manager", create: () => ({ saver }), only });
    expect(capabilities.threads).toBe(true);
  });

  it("of failing in one way only skip the other ways", async () => {
    const { faults, ...rest } = create(SnapshotSaver);
    const report = await runConformance({
      name: "one way",
      create: () => ({ ...rest, faults: { failNext: faults!.failNext!.bind(faults) } }),
      only: ["faults.outage-ends"],
    });
    expect(report.results[0]).toMatchObject({
      status: "skipped",
      reason: "the target's faults have no outage",
    });
  });
});

describe("levels", () => {
  it("end below the first that was not seen", { timeout: 300_000 }, async () => {
    const report = await runConformance({ name: "bare", create: () => ({ saver: new SnapshotSaver() }) });
    expect(report.failed).toBe(0);
    expect(report.level).toBe("core");
    const skipped = scenarios.filter(({ needs }) => needs?.some((each) => each !== "deltaHistory"));
    expect(report.skipped).toBe(skipped.length);
  });

  it("are not reached by a run that was narrowed", async () => {
    const report = await runConformance({ ...targetOf("narrow", SnapshotSaver), only: ["put"] });
    expect([report.failed, report.level]).toEqual([0, "not conformant"]);
  });

  it("are not reached by a saver that breaks a rule", async () => {
    const report = await runConformance({
      name: "MemorySaver",
      create: () => ({ saver: new MemorySaver() }),
      only: ["fork", "list", "deltaChannels"],
    });
    expect(report.failed).toBeGreaterThan(0);
    expect(report.level).toBe("not conformant");
  });
});
