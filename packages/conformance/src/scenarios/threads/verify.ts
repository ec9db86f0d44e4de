import { equal } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { codedRefusal, listAll } from "../calls.js";
import { inGroup } from "../define.js";
import { manager, putChain, write } from "./harness.js";

const scenario = inGroup("verify");
const needs = ["verify"] as const;

export const verifyScenarios: readonly Scenario[] = [
  scenario("intact", {
    rule: "It reads every checkpoint, of one thread or of all, and finds nothing wrong where nothing is.",
    why: "A check that passes over some of them says that data is well which nobody has looked at.",
    needs,
    run: async ({ saver }) => {
      const [first] = await putChain(saver, "a", 3);
      await putChain(saver, "a", 2, { namespace: "n" });
      await putChain(saver, "b", 1);
      await write(saver, "a", first!, "x".repeat(20_000));
      equal(await manager(saver).verify(), { intact: 6, problems: [] });
      equal(await manager(saver).verify("a"), { intact: 5, problems: [] });
      equal(await manager(saver).verify("c"), { intact: 0, problems: [] });
    },
  }),

  scenario("changes-nothing", {
    rule: "It changes nothing.",
    why: "A look at the data must never be what damages it.",
    needs,
    run: async ({ saver }) => {
      const ids = await putChain(saver, "a", 2);
      await write(saver, "a", ids[1]!, 1);
      const before = await listAll(saver, {});
      await manager(saver).verify();
      await manager(saver).verify("a");
      equal(await listAll(saver, {}), before);
    },
  }),

  scenario("bad-input", {
    rule: "What is no thread id is refused with a coded error.",
    why: "The wrong argument would check nothing, and say that all is well.",
    needs,
    run: async ({ saver }) => {
      for (const id of [{}, ["a"], { $gt: "" }])
        await codedRefusal(() => manager(saver).verify(id as unknown as string));
    },
  }),
];
