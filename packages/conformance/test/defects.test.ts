import { describe, expect, it } from "vitest";

import { runConformance } from "../src/index.js";
import { catches } from "./defects/index.js";

describe("a saver that", () => {
  it.each(catches.map((defect) => [defect.name, defect.caughtBy, defect] as const))(
    "%s is failed by %s",
    async (_name, caughtBy, { name, create }) => {
      const report = await runConformance({ name, create, only: [caughtBy], timeoutScale: 3 });
      expect(report.results.map(({ id, status }) => [id, status])).toEqual([[caughtBy, "failed"]]);
    },
  );
});
