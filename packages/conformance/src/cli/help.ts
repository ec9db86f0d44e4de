import { builtInTargets } from "../targets/built-in/index.js";

/** Fits 80 columns. */
export function helpText(): string {
  const names = Object.entries(builtInTargets);
  const width = Math.max(...names.map(([name]) => name.length)) + 2;
  return `Tells a right LangGraph.js checkpoint saver from a wrong one.

Usage: langgraph-savers-conformance [options] <target> [<target> ...]

A target is the path of a module (TypeScript works as it is) that exports a
function returning a saver, or { name, create }, or one of the built-in ones:

${names.map(([name, { summary }]) => `  ${name.padEnd(width)}${summary}`).join("\n")}

Several targets run one after the other and are shown side by side.

Options:
  --only <pattern>          Only scenarios whose id or group matches; "*" stands
                            for anything. Repeatable.
  -r, --reporter <name>     terminal, json, junit, markdown or html; with a file
                            as html=report.html. Repeatable.
  -o, --output <file>       The file of the one reporter that names none.
  --badge <file.svg>        Write a badge with the level.
  --timeout-scale <factor>  Stretch every time limit, for slow machines.
  --list                    Print the catalogue of scenarios.
  -h, --help                Print this.
  -v, --version             Print the version.

Exit code: 0 if every target conforms, 1 if one does not, 2 if the command
could not be carried out.
`;
}
