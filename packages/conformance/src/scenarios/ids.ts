import { equal } from "../check.js";
import type { Scenario } from "../scenario.js";
import { configOf, newId, putOne, writesOf } from "./calls.js";
import { inGroup } from "./define.js";
import { checkDistinct } from "./distinct.js";

const scenario = inGroup("ids");
const long = "x".repeat(10_000);

interface Family {
  name: string;
  what: string;
  why: string;
  ids: string[];
}

/** Families of ids in which a careless key, path, pattern or collation would take one for another. */
const families: Family[] = [
  {
    name: "separators",
    what: "with the characters that keys are joined with",
    why: "A saver that joins keys with `:` or `/` would merge two users' threads.",
    ids: [
      "a",
      "a:b",
      "a|b",
      "a/b",
      "a#b",
      "a.b",
      "a\0b",
      "a,b",
      "a\\b",
      "a b",
      "a\nb",
      "a%2Fb",
      "a_b",
      "a-b",
    ],
  },
  {
    name: "prefixes",
    what: "that prefix each other",
    why: "A range or prefix scan would return, or delete, a neighbour's data.",
    ids: ["t", "t1", "t10", "t:", "t\0", "t ", "t/"],
  },
  {
    name: "cases",
    what: "that differ in case only",
    why: "A collation or a file system that ignores case would merge threads.",
    ids: ["thread", "Thread", "THREAD"],
  },
  {
    name: "normal-forms",
    what: "that differ in their unicode normal form only",
    why: "A storage that normalises text would merge threads.",
    ids: ["caf\u00e9", "cafe\u0301", "cafe"],
  },
  {
    name: "other-planes",
    what: "with emoji, invisible and replacement characters",
    why: "A storage with three-byte unicode would refuse or merge threads.",
    ids: ["\u{1F600}", "\u{1F601}", "\uFFFD", "\u200B", "\u200B\u200B"],
  },
  {
    name: "file-names",
    what: "that mean something to a file system",
    why: "A thread named `..` would read, or delete, files outside the saver's folder.",
    ids: [".", "..", "../x", "/", "/etc", "CON", "nul.txt", "~", "x.json"],
  },
  {
    name: "patterns",
    what: "that mean something to a query language",
    why: "A thread named `%` or `*` would read, or delete, everybody's threads.",
    ids: ["*", "?", "%", "_", "$", "$gt", "$where", "^.*$", "[a]", "(", "{}"],
  },
  {
    name: "object-members",
    what: "named like members of Object",
    why: "A plain object as a map would find a function where there is nothing, or pollute the process.",
    ids: ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"],
  },
  {
    name: "words-for-nothing",
    what: "that spell null, undefined and the like",
    why: "A saver that writes `String(id)` would merge a thread of that name with the absence of one.",
    ids: ["null", "undefined", "0", "false", "NaN", "[object Object]"],
  },
  {
    name: "ten-thousand-characters",
    what: "of 10,000 characters",
    why: "A key's length limit would cut them off, and threads with the same beginning become one.",
    ids: [long, `${long}y`, `${long}z`, `y${long}`],
  },
];

/** Ids are opaque strings, in each of the places where one can stand. */
export const idsScenarios: readonly Scenario[] = families.map(({ name, what, why, ids }) =>
  scenario(name, {
    rule: `Ids ${what} are distinct and nothing special, as thread, namespace, checkpoint and task.`,
    why,
    timeoutMs: 60_000,
    run: async ({ saver }) => {
      const id = newId();
      await checkDistinct(saver, [
        ...ids.map((thread) => ({ thread, namespace: "", id })),
        ...ids.map((namespace) => ({ thread: "of namespaces", namespace, id })),
        ...ids.map((each) => ({ thread: "of ids", namespace: "", id: each })),
      ]);
      const checkpoint = await putOne(saver, "of tasks");
      for (const [mark, task] of ids.entries()) {
        await saver.putWrites(configOf("of tasks", checkpoint), [["a", mark]], task);
      }
      const marks = new Map(
        (await writesOf(saver, "of tasks", checkpoint)).map(([task, , mark]) => [task, mark]),
      );
      equal(
        ids.map((task) => marks.get(task)),
        ids.map((_, mark) => mark),
        "the writes by task",
      );
    },
  }),
);
