import { describe, expect, it } from "vitest";

import { killUnderLoad } from "./kills.js";

describe("kill -9 of the server under load", () => {
  it("20 times: nothing acknowledged is lost, nothing is unreadable, and the savers carry on", async () => {
    const { acknowledged, lost, wrong } = await killUnderLoad(20);
    expect(lost).toEqual([]);
    expect(wrong).toEqual([]);
    expect(acknowledged).toBeGreaterThan(20 * 8);
  }, 120_000);
});
