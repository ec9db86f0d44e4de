import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";

import { everyCapability, operations } from "../src/capabilities.js";
import { runConformance, scenarios, type Capability, type Level, type ScenarioResult } from "../src/index.js";
import { levelOf } from "../src/levels.js";
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
    expect(capabilities).toEqual(everyCapability(() => true));
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

  it("that manage threads are found one by one, by their methods", async () => {
    const exists = async (threadId: string) => threadId === "t";
    const target = {
      name: "manager",
      create: () => ({ saver: Object.assign(new MemorySaver(), { exists }) }),
    };
    const report = await runConformance({ ...target, only: ["exists", "stats"] });
    expect(report.capabilities).toEqual(
      everyCapability((capability) => ["deltaHistory", "threads", "exists"].includes(capability)),
    );
    expect(report.results.map(({ id, status }) => [id, status])).toEqual([
      ["exists.only-with-a-checkpoint", "failed"],
      ["exists.bad-input", "failed"],
      ["stats.counts-everything", "skipped"],
    ]);
  });

  it("that manage threads are all declared absent by one word", async () => {
    const target = { ...targetOf("declared", SnapshotSaver), capabilities: { threads: false } };
    const report = await runConformance({ ...target, only: ["exists", "ping"] });
    expect(report.skipped).toBe(report.results.length);
    expect(report.results[0]!.reason).toBe("the target has no exists");
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
  it("end below the first that was not seen", () => {
    const without = (...absent: Capability[]): Level =>
      levelOf(
        scenarios.map(({ id, group, needs }) => ({
          id,
          group,
          status: needs?.some((each) => absent.includes(each)) === true ? "skipped" : "passed",
          durationMs: 0,
        })),
      );
    expect(without()).toBe("fault-tested");
    expect(without("faults")).toBe("durable");
    expect(without("reopen")).toBe("extended");
    expect(without("serde")).toBe("core");
  });

  it("are not decided by operations that LangGraph does not ask for", () => {
    const results = scenarios.map(({ id, group, needs }): ScenarioResult => {
      const asked = needs?.some((each) => (operations as readonly string[]).includes(each)) !== true;
      return { id, group, status: asked ? "passed" : "failed", durationMs: 0 };
    });
    expect(levelOf(results)).toBe("fault-tested");
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
