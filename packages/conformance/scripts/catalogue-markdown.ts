import { groups, scenarios, type Group } from "../src/index.js";
import { pythonSpecification } from "./python-specification.js";

const levels: [Group["level"], string][] = [
  ["core", "LangGraph works on the saver: whatever a graph does, its state, writes and history are right."],
  [
    "extended",
    "It is also safe and pleasant to build on: bad input is refused with errors that can be acted on, and more kinds of values, delta channels, runs and serializers of the user's own work.",
  ],
  ["durable", "What is stored is there for another process. Needs `reopen`."],
  [
    "fault-tested",
    "It was seen to survive failures of its storage. Needs `faults`, with all its ways to fail.",
  ],
  [
    "none",
    "Operations on threads that LangGraph does not ask for. They are tried where the saver has a method of that name, and decide no level; one that is wrong is a failure.",
  ],
];

/** SCENARIOS.md, as it follows from the catalogue. */
export function catalogueMarkdown(): string {
  return [
    "# Scenarios",
    "",
    `The ${scenarios.length} scenarios of \`@langgraph-savers/conformance\`, by the level that asks for them. Ids are stable.`,
    "",
    "This file is generated from the catalogue: change `src/scenarios`, then run `pnpm scenarios`.",
    "",
    ...levels.flatMap(([level, about]) => [
      level === "none" ? "## Of no level: operations on threads" : `## Level: ${level}`,
      "",
      about,
      "",
      ...groups
        .filter((group) => group.level === level)
        .flatMap(({ name, about: subject }) => listing(name, subject)),
    ]),
    ...python(),
  ].join("\n");
}

function listing(name: string, subject: string): string[] {
  const own = scenarios.filter((scenario) => scenario.group === name);
  const needs = [...new Set(own.flatMap((scenario) => scenario.needs ?? []))];
  const suffix = needs.length === 0 ? "" : ` Needs ${needs.map((each) => `\`${each}\``).join(", ")}.`;
  return [
    `### ${name}: ${subject}`,
    "",
    ...(suffix === "" ? [] : [suffix.trim(), ""]),
    ...own.map(({ id, rule, why }) => `- **\`${id}\`** ${escape(rule)}<br>_Otherwise:_ ${escape(why)}`),
    "",
  ];
}

function python(): string[] {
  const files = Object.entries(pythonSpecification);
  return [
    "## LangGraph's specification for Python",
    "",
    `The ${files.flatMap(([, tests]) => Object.keys(tests)).length} tests of \`langgraph-checkpoint-conformance\`, and the scenarios that hold the same rules.`,
    "",
    ...files.flatMap(([file, tests]) => [
      `- \`${file}\``,
      ...Object.entries(tests).map(([test, here]) => `  - \`${test}\`: ${counterpart(here)}`),
    ]),
    "",
  ];
}

function counterpart(here: readonly string[] | string): string {
  return typeof here === "string"
    ? `_not asked for:_ ${escape(here)}`
    : here.map((id) => `\`${id}\``).join(", ");
}

/** Outside of code, what Markdown would take for markup. */
function escape(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/[*_<>|[\]]/g, String.raw`\$&`)))
    .join("");
}
