import { padEnd, wrap } from "@langgraph-savers/command/terminal";

import { EXIT_CODES } from "./exit-codes.js";
import type { ArgSpec, CommandSpec, OptionSpec } from "./spec.js";

export const PROGRAM = "langgraph-savers";
const WIDTH = 80;

/** `--help` of one command. Fits 80 columns. */
export function commandHelp(spec: CommandSpec): string {
  const options = Object.entries({ ...spec.options, help: { short: "h", about: "Print this" } });
  const blocks = [
    paragraph(spec.summary),
    `Usage: ${PROGRAM} ${[spec.name, ...spec.args.map(argUsage)].join(" ")} [options]`,
    ...(spec.details ?? []).map((text) => paragraph(text)),
    section(
      "Arguments",
      spec.args.map(({ name, about }) => [name, about]),
    ),
    section(
      "Options",
      options.map(([name, option]) => [optionUsage(name, option), option.about]),
    ),
    `Examples:\n${spec.examples.map((line) => `  ${PROGRAM} ${line}`).join("\n")}`,
    EXIT_CODES,
  ];
  return blocks.filter((block) => block !== "").join("\n\n");
}

/** `--help` of the program. */
export function programHelp(commands: readonly { name: string; summary: string }[]): string {
  return [
    paragraph(
      "Looks into the checkpoints of LangGraph.js, moves them between savers, and keeps them in order.",
    ),
    `Usage: ${PROGRAM} COMMAND … [options]`,
    section(
      "Commands",
      commands.map(({ name, summary }) => [name, summary]),
    ),
    section("Stores", [
      ["file:./checkpoints", "A directory of @langgraph-savers/file"],
      [
        "mongodb://…/db",
        "@langgraph-savers/mongodb; also mongodb+srv://. Add ?collection=… for another name",
      ],
      ["dynamodb://region/table", "@langgraph-savers/dynamodb; ?endpoint=… for a server of your own"],
      ["official-mongodb://…/db", "@langchain/langgraph-checkpoint-mongodb"],
      ["official-sqlite:./x.db", "@langchain/langgraph-checkpoint-sqlite"],
      ["./saver.ts", "A module that exports a saver, or a function that returns one: any saver, any options"],
    ]),
    paragraph(
      `Packages are taken from the project in which the command runs, and only when their store is named. ` +
        `"${PROGRAM} COMMAND --help" tells more. NO_COLOR turns colours off; --json is for scripts. Nothing is ` +
        "deleted without a question, or --yes.",
    ),
    EXIT_CODES,
  ].join("\n\n");
}

function argUsage({ name, optional, rest }: ArgSpec): string {
  if (rest === true) return `[${name} …]`;
  return optional === true ? `[${name}]` : name;
}

function optionUsage(name: string, { value, short }: OptionSpec): string {
  return `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}

function paragraph(text: string): string {
  return wrap(text, WIDTH).join("\n");
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return "";
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  const lines = rows.flatMap(([left, right]) =>
    wrap(right, WIDTH - width - 2).map((line, at) => `  ${padEnd(at === 0 ? left : "", width)}${line}`),
  );
  return `${title}:\n${lines.join("\n")}`;
}
