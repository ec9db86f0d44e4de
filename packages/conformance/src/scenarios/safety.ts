import type { Scenario } from "../scenario.js";
import { inGroup } from "./define.js";
import { checkRoundTrip } from "./round-trip.js";

const scenario = inGroup("safety");

/** Plain data in the shape of a serializer's instructions: it must come back as data. */
export const safetyScenarios: readonly Scenario[] = [
  scenario("constructor-records", {
    rule: "Stored data is data: a record that names a constructor, a method or a path is not followed.",
    why: "A model's output, or a request, could run code in the process that loads the thread.",
    run: ({ saver }) =>
      checkRoundTrip(saver, {
        Function: constructorRecord(["Function"], null, ["return process"]),
        "a method": constructorRecord(["Object"], "assign", [{}]),
        "a path": constructorRecord(["constructor", "constructor"], null, []),
      }),
  }),

  scenario("langchain-records", {
    rule: "A record in the shape of LangChain's, of a class that is no message, comes back as data.",
    why: "It would be built into an object of that class, or make the thread unreadable for ever.",
    run: ({ saver }) =>
      checkRoundTrip(saver, {
        "an unknown class": langchainRecord(["langchain_core", "nowhere", "Nothing"]),
        "a prototype": langchainRecord(["langchain_core", "messages", "__proto__"]),
        "a runnable": langchainRecord(["langchain_core", "runnables", "RunnableSequence"]),
      }),
  }),

  scenario("secrets", {
    rule: "A record in the shape of a LangChain secret comes back as data, not as the secret.",
    why: "A model's output could read the environment of the process.",
    run: ({ saver }) => {
      const secret = { lc: 1, type: "secret", id: ["PATH"] };
      return checkRoundTrip(saver, { alone: secret, "in a list": [{ nested: secret }] });
    },
  }),
];

function constructorRecord(id: string[], method: string | null, args: unknown[]): Record<string, unknown> {
  return { lc: 2, type: "constructor", id, method, args, kwargs: {} };
}

function langchainRecord(id: string[]): Record<string, unknown> {
  return { lc: 1, type: "constructor", id, kwargs: { first: 1 } };
}
