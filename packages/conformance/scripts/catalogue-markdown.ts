import { groups, scenarios, type Level } from "../src/index.js";

const levels: [Exclude<Level, "not conformant">, string][] = [
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
      `## Level: ${level}`,
      "",
      about,
      "",
      ...groups
        .filter((group) => group.level === level)
        .flatMap(({ name, about: subject }) => listing(name, subject)),
    ]),
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

/** Outside of code, what Markdown would take for markup. */
function escape(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/[*_<>|[\]]/g, String.raw`\$&`)))
    .join("");
}
