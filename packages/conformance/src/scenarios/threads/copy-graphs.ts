import { Command } from "@langchain/langgraph";

import { equal } from "../../check.js";
import type { Scenario } from "../../scenario.js";
import { inGroup } from "../define.js";
import { collect, thread, valuesOf } from "../graphs/harness.js";
import { askingGraph, deltaGraph, notesGraph, questions } from "./graphs.js";
import { manager } from "./harness.js";

const scenario = inGroup("copyThread");
const source = thread("source");
const target = thread("target");

export const copyGraphsScenarios: readonly Scenario[] = [
  scenario("goes-on", {
    rule: "A graph goes on in the copy as it would in the source, and the two stay apart.",
    why: "A copied conversation that cannot be continued is an archive.",
    needs: ["copyThread"],
    run: async ({ saver, reopen }) => {
      const graph = notesGraph(saver);
      await graph.invoke({ topic: "cats" }, source);
      await manager(saver).copyThread("source", "target");
      const copy = notesGraph(await reopen());
      const notes = ["first cats", "second cats"];
      equal((await copy.invoke({ topic: "dogs" }, target)).notes, [...notes, "first dogs", "second dogs"]);
      equal((await graph.getState(source)).values, { notes, topic: "cats" });
      const history = await collect(copy.getStateHistory(target));
      equal(history.length, 8);
      // Time travel within the copy.
      const before = history.find(({ next, values }) => next[0] === "second" && values.topic === "cats");
      equal((await copy.invoke(null, before!.config)).notes, notes);
    },
  }),

  scenario("interrupt", {
    rule: "An interrupt that waits in the source, in a subgraph too, is answered in the copy, and still waits in the source.",
    why: "Two answers could not be tried on the same question.",
    needs: ["copyThread"],
    run: async ({ saver, reopen }) => {
      await askingGraph(saver).invoke({ topic: "go" }, source);
      await manager(saver).copyThread("source", "target");
      const graph = askingGraph(await reopen(), "prepared again");
      equal(await questions(graph, target), ["may I go?"]);
      const answered = await graph.invoke(new Command({ resume: "yes" }), target);
      equal(valuesOf(answered), { notes: ["prepared", "answer: yes", "done"], topic: "go" });
      equal(await questions(graph, source), ["may I go?"]);
      const other = await graph.invoke(new Command({ resume: "no" }), source);
      equal(valuesOf(other), { notes: ["prepared", "answer: no", "done"], topic: "go" });
    },
  }),

  scenario("delta-channels", {
    rule: "A delta channel has its whole value in the copy, after the source is gone too.",
    why: "The copy would lack the changes that ancestors hold.",
    needs: ["copyThread", "deltaHistory"],
    run: async ({ saver, reopen }) => {
      const graph = deltaGraph(saver);
      for (const word of ["one", "two"]) await graph.invoke({ words: [word] }, source);
      await manager(saver).copyThread("source", "target");
      await saver.deleteThread("source");
      const copy = deltaGraph(await reopen());
      const words = ["one", "echo", "two", "echo"];
      equal((await copy.getState(target)).values, { words });
      equal((await copy.invoke({ words: ["three"] }, target)).words, [...words, "three", "echo"]);
    },
  }),
];
