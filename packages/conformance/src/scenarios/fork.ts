import { equal } from "../check.js";
import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { putOne, valuesOf } from "./calls.js";
const scenario = inGroup("fork");

const large = (mark: string): string => `${mark}:${"abcdefghij".repeat(3000)}`;

export const forkScenarios: readonly Scenario[] = [
  scenario("versions-do-not-collide", {
    rule: "Forks whose integer versions collide keep each its own value.",
    why: "Both branches of a fork call their value version 7: the first branch would show the second one's state.",
    run: async ({ saver }) => {
      const root = await putOne(saver, "t", {
        values: { a: "root", big: large("root") },
        versions: { a: 6, big: 6 },
      });
      const branch = async (name: string): Promise<string[]> => {
        const top = await putOne(saver, "t", {
          parent: root,
          values: { a: name, big: large(name) },
          versions: { a: 7, big: 7 },
        });
        const below = await putOne(saver, "t", {
          parent: top,
          values: { a: name, big: large(name), b: 1 },
          versions: { a: 7, big: 7, b: 8 },
          changed: ["b"],
        });
        return [top, below];
      };
      const left = await branch("left");
      const right = await branch("right");
      for (const [name, [top, below]] of [
        ["left", left],
        ["right", right],
      ] as const) {
        equal(await valuesOf(saver, "t", top), { a: name, big: large(name) });
        equal(await valuesOf(saver, "t", below), { a: name, big: large(name), b: 1 });
      }
      equal(await valuesOf(saver, "t", root), { a: "root", big: large("root") });
    },
  }),

  scenario("carries-its-own-parents-value", {
    rule: "A fork carries the value of its own parent, not of the newest checkpoint.",
    why: "Going back in time would bring along values from the future.",
    run: async ({ saver }) => {
      const root = await putOne(saver, "t", { values: { a: "old" }, versions: { a: 1 } });
      await putOne(saver, "t", { parent: root, values: { a: "new" }, versions: { a: 2 } });
      const fork = await putOne(saver, "t", {
        parent: root,
        values: { a: "old", b: 1 },
        versions: { a: 1, b: 2 },
        changed: ["b"],
      });
      equal(await valuesOf(saver, "t", fork), { a: "old", b: 1 });
    },
  }),
];
