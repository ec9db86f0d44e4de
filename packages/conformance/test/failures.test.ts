import type { RunnableConfig } from "@langchain/core/runnables";
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";

import { runConformance, type ScenarioFailure } from "../src/index.js";
import { SnapshotSaver } from "./savers/architectures.js";
import { create } from "./savers/target.js";

async function failureOf(id: string, target: Parameters<typeof runConformance>[0]["create"]) {
  const { results } = await runConformance({ name: "wrong", create: target, only: [id] });
  expect(results).toMatchObject([{ status: "failed" }]);
  return results[0]!.error!;
}

/** Whatever was stored, ten thousand long strings come back. */
class GivesTooMuch extends SnapshotSaver {
  override async getTuple(config: RunnableConfig) {
    const tuple = await super.getTuple(config);
    const values = tuple?.checkpoint.channel_values ?? {};
    for (const name of Object.keys(values)) values[name] = Array(10_000).fill(name.padEnd(10_000, "-"));
    return tuple;
  }
}

/** All that a report shows of it. */
function texts({ message, expected = "", actual = "" }: ScenarioFailure): string[] {
  return [message, expected, actual];
}

function expectToBeShort(failure: ScenarioFailure): void {
  for (const text of texts(failure)) {
    expect(text.split("\n").length).toBeLessThanOrEqual(21);
    expect(text.length).toBeLessThanOrEqual(1300);
  }
}

describe("what a report says of a failure", () => {
  it("names the places that differ", async () => {
    const failure = await failureOf("getTuple.three-keys", () => ({ saver: new MemorySaver() }));
    expect(failure.message).toMatch(/ differ from what was expected at `tags`, `configurable\.other`/);
  });

  it("is short where the value is a live config: the saver in it is a name", async () => {
    const saver = () => ({ saver: new MemorySaver() });
    const failure = await failureOf("put.config-is-not-serialised", saver);
    expectToBeShort(failure);
    expect(failure.message).toContain("at `callbacks`, `signal`, `store`, `configurable.");
    expect(failure.actual).toContain("__pregel_checkpointer: [MemorySaver]");
    expect(failure.actual).toContain("secret: 'do not store'");
  });

  it.each(["sizes.string-of-5-mb", "sizes.around-65536-bytes", "sizes.deep-nesting"])(
    "is short where the value is large: %s",
    async (id) => {
      const failure = await failureOf(id, () => create(GivesTooMuch));
      expectToBeShort(failure);
      expect(failure.message).not.toBe("");
    },
  );

  it.each([
    ["of many lines", "INSERT failed\n".repeat(5000), "… (4981 more lines)"],
    ["of one long line", `INSERT failed: ${"x".repeat(5_000_000)}`, "more characters)"],
  ])("is short where an error prints what was to be stored: %s", async (_, message, ending) => {
    const failure = await failureOf("put.no-channels", () => {
      const created = create(SnapshotSaver);
      created.saver.put = () => Promise.reject(new Error(message));
      return created;
    });
    expectToBeShort(failure);
    expect(failure.message).toMatch(/^Error: INSERT failed/);
    expect(failure.message.endsWith(ending)).toBe(true);
    expect(failure.stack!.length).toBeLessThanOrEqual(1300);
  });
});
