import { expect, it } from "vitest";

import { runConformance } from "../src/index.js";
import { ChannelSaver, ContentSaver, SnapshotSaver } from "./savers/architectures.js";
import { targetOf } from "./savers/target.js";

it.each([
  ["a full snapshot per checkpoint", SnapshotSaver],
  ["values per channel and version", ChannelSaver],
  ["values by the hash of their content", ContentSaver],
])("a correct saver passes whole: %s", { timeout: 300_000 }, async (name, Saver) => {
  const report = await runConformance(targetOf(name, Saver));
  expect(report.results.filter(({ status }) => status !== "passed")).toEqual([]);
  expect(report.level).toBe("fault-tested");
});
