import { readdirSync, readFileSync } from "node:fs";

import { ERROR_NOTES as KIT_NOTES } from "../../../packages/conformance/src/error-codes.js";
import { ERROR_NOTES, type ErrorNote, type SaverErrorCode } from "../../../packages/core/src/error-codes.js";
import { ROOT } from "./markdown/pages.js";

const INTRODUCTION = `<!-- Made by \`pnpm docs:write\` from the error-codes.ts of the packages, not by hand. -->

# Errors

Every error of the savers has a \`code\` that stays the same from release to release, a message that says what to do, ids but
never values in \`place\`, and the driver's error as \`cause\`. \`isSaverError(error)\` tells them from all others, also across
copies of the package:

<!-- with: graph-and-saver -->

\`\`\`ts
import { isSaverError } from "@langgraph-savers/core";

try {
  await graph.invoke(input, config);
} catch (error) {
  if (isSaverError(error) && error.code === "BACKEND_UNAVAILABLE") console.log("Try again later.");
  else throw error;
}
\`\`\`

What \`core\` throws, every saver may throw.`;

const KIT = `## The conformance kit

A \`ConformanceError\` is a mistake in how the kit is used, found before any scenario is tried.`;

const COMMANDS = `## The commands

The commands print the message of an error and its code, as in \`… [ACCESS_DENIED]\`; \`DEBUG=1\` adds the stack and the
causes. Their exit codes: [langgraph-savers](../packages/cli/README.md#conventions),
[langgraph-savers-conformance](../packages/conformance/README.md#the-command).
`;

/** docs/errors.md. */
export function errorsPage(): string {
  return [
    INTRODUCTION,
    `| Code | From | Meaning |\n| --- | --- | --- |\n${codes().map(row).join("\n")}`,
    ...codes().map((code) => section("##", code, ERROR_NOTES[code])),
    KIT,
    ...Object.entries(KIT_NOTES).map(([code, note]) => section("###", code, note)),
    COMMANDS,
  ].join("\n\n");
}

/** All codes of the savers. */
export function codes(): SaverErrorCode[] {
  return Object.keys(ERROR_NOTES) as SaverErrorCode[];
}

/** The packages in whose source a code is thrown. */
export function thrownIn(code: string): string[] {
  return [...thrown()].filter(([, found]) => found.has(code)).map(([name]) => name);
}

/** The codes that are thrown in the source of any package. */
export function thrownCodes(): string[] {
  return [...new Set([...thrown().values()].flatMap((found) => [...found]))].toSorted();
}

let known: Map<string, Set<string>> | undefined;

function thrown(): Map<string, Set<string>> {
  known ??= new Map(
    readdirSync(`${ROOT}packages`)
      .toSorted()
      .map((name) => [name, codesIn(`packages/${name}/src/`)]),
  );
  return known;
}

/** A code is the first thing that an error is made of, or that a table of codes gives. */
function codesIn(folder: string): Set<string> {
  const files = readdirSync(ROOT + folder, { recursive: true, encoding: "utf8" });
  const texts = files
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(ROOT + folder + name, "utf8"));
  const found = texts.flatMap((text) => [...text.matchAll(/(?:new \w*Error\(|: \[)\s*"([A-Z][A-Z_]+)",/g)]);
  return new Set(found.map((match) => match[1]!));
}

function row(code: SaverErrorCode): string {
  const from = thrownIn(code).map((name) => `\`${name}\``);
  return `| [\`${code}\`](#${code.toLowerCase()}) | ${from.join(", ")} | ${ERROR_NOTES[code].meaning} |`;
}

function section(level: string, code: string, { meaning, when, remedy }: ErrorNote): string {
  return `${level} \`${code}\`\n\n${meaning}\n\n**When:** ${when}\n\n**What to do:** ${remedy}`;
}
