import { storm } from "./chaos/storm.mjs";

describe("4 writers and 2 compactors, killed at random moments", () => {
  it(
    "lose nothing that was acknowledged, and leave nothing unreadable or foreign",
    { timeout: 300_000 },
    async () => {
      const { problems, acknowledged, ...figures } = await storm({ kills: 100, seed: 20_260_101 });
      expect(problems).toEqual([]);
      expect(figures).toMatchObject({ kills: 100, lost: 0, unreadable: 0, foreign: 0 });
      expect(acknowledged).toBeGreaterThan(100);
    },
  );
});
