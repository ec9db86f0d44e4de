import { Command } from "@langchain/langgraph";

import { check, equal } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { collect, thread, valuesOf } from "../graphs/harness.js";
import { askingGraph, deltaGraph, notesGraph, questions } from "./graphs.js";
import { everythingOf, manager } from "./harness.js";

const scenario = inGroup("prune");
const t = thread("t");

export const pruneGraphsScenarios: readonly Scenario[] = [
  scenario("graphs-go-on", {
    rule: "A pruned thread goes on, and time travel works over what stayed.",
    why: "A clean-up would end the conversation.",
    needs: ["prune"],
    run: async ({ saver, reopen }) => {
      for (const topic of ["cats", "dogs"]) await notesGraph(saver).invoke({ topic }, t);
      await manager(saver).prune(["t"], { keepLast: 3 });
      const graph = notesGraph(await reopen());
      const history = await collect(graph.getStateHistory(t));
      equal(
        history.map(({ next }) => next),
        [[], ["second"], ["first"]],
      );
      const notes = ["first cats", "second cats", "first dogs", "second dogs"];
      equal((await graph.invoke(null, history[2]!.config)).notes, notes);
      equal((await graph.invoke({ topic: "owls" }, t)).notes, [...notes, "first owls", "second owls"]);
    },
  }),

  scenario("interrupt", {
    rule: "A question that waits, in a subgraph too, is answered after the thread was pruned.",
    why: "The steps of the subgraph would be run again, or the answer reach nobody.",
    needs: ["prune"],
    run: async ({ saver, reopen }) => {
      await askingGraph(saver).invoke({ topic: "go" }, t);
      await manager(saver).prune(["t"], { strategy: "keep_latest" });
      const graph = askingGraph(await reopen(), "prepared again");
      equal(await questions(graph, t), ["may I go?"]);
      const answered = await graph.invoke(new Command({ resume: "yes" }), t);
      equal(valuesOf(answered), { notes: ["prepared", "answer: yes", "done"], topic: "go" });
    },
  }),

  scenario("keep-finished", {
    rule: "`keepFinished` keeps the last checkpoint after which no task was to come, beside the newest.",
    why: "There would be no whole answer to go back to from a run that is stuck.",
    needs: ["prune"],
    run: async ({ saver }) => {
      const graph = askingGraph(saver);
      await graph.invoke({ topic: "go" }, t);
      await graph.invoke(new Command({ resume: "yes" }), t);
      const finished = (await graph.getState(t)).config;
      await graph.invoke({ topic: "stay" }, t);
      const policy = { keepLast: 1, keepInterrupted: false };
      await manager(saver).prune(["t"], { ...policy, keepFinished: true });
      const states = await collect(graph.getStateHistory(t));
      equal(
        states.map(({ next }) => next),
        [["inner"], []],
      );
      equal(states[1]!.config, finished);
      equal(states[1]!.values.notes, ["prepared", "answer: yes", "done"]);
      await manager(saver).prune(["t"], policy);
      equal((await collect(graph.getStateHistory(t))).length, 1);
    },
  }),

  scenario("delta-channels", {
    rule: "What a delta channel of a checkpoint that stays counts on stays too, back to its nearest value, and no further.",
    why: "The channel would lose all that was written since its last value.",
    needs: ["prune", "deltaHistory"],
    run: async ({ saver, reopen }) => {
      const words: string[] = [];
      for (const word of ["one", "two", "three", "four", "five"]) {
        await deltaGraph(saver, 3).invoke({ words: [word] }, t);
        words.push(word, "echo");
      }
      const before = (await everythingOf(saver, "t")).length;
      await manager(saver).prune(["t"], { keepLast: 1 });
      const graph = deltaGraph(await reopen(), 3);
      equal((await graph.getState(t)).values, { words });
      check((await everythingOf(saver, "t")).length < before, "what is older than the nearest value is gone");
      equal((await graph.invoke({ words: ["six"] }, t)).words, [...words, "six", "echo"]);
    },
  }),

  scenario("beside-running-graphs", {
    rule: "A graph that runs while its thread is pruned comes to the same end, and all that is left can be read.",
    why: "Clean-ups happen while people work.",
    needs: ["prune"],
    run: async ({ saver, reopen }) => {
      const graph = notesGraph(saver);
      const pruner = manager(await reopen());
      let running = true;
      const run = (async () => {
        for (let round = 0; round < 8; round += 1) await graph.invoke({ topic: String(round) }, t);
      })().finally(() => (running = false));
      const stopped = (): boolean => !running;
      const pruning = (async () => {
        while (!stopped()) await pruner.prune("all", { strategy: "keep_latest" });
      })();
      await Promise.all([run, pruning]);
      const notes = Array.from({ length: 8 }, (_, round) => [`first ${round}`, `second ${round}`]).flat();
      equal((await notesGraph(await reopen()).getState(t)).values, { notes, topic: "7" });
      await pruner.prune(["t"], { strategy: "keep_latest" });
      equal((await everythingOf(saver, "t")).length, 1);
    },
  }),
];
