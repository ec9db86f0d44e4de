// Writes MATRIX.md: the official savers and ours under the whole catalogue. Needs a build, and for the columns of
// servers MONGODB_URI and DYNAMODB_ENDPOINT.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { groups } from "../src/levels.js";
import { makeProject, packageRoot, type Project } from "./matrix/project.js";
import { run } from "./matrix/run.js";

interface Column {
  target: string;
  package: string;
  server?: string;
}

const columns: Column[] = [
  { target: "memory", package: "@langchain/langgraph-checkpoint" },
  { target: "official-sqlite", package: "@langchain/langgraph-checkpoint-sqlite" },
  { target: "official-mongodb", package: "@langchain/langgraph-checkpoint-mongodb", server: "MONGODB_URI" },
  { target: "in-memory", package: "@langgraph-savers/core" },
  { target: "file", package: "@langgraph-savers/file" },
  { target: "mongodb", package: "@langgraph-savers/mongodb", server: "MONGODB_URI" },
  { target: "dynamodb", package: "@langgraph-savers/dynamodb", server: "DYNAMODB_ENDPOINT" },
];

const anId = /\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g;

const project = await makeProject();
try {
  const { judged, leftOut } = await chosen(project);
  const body = await report(project, judged);
  const file = join(packageRoot, "MATRIX.md");
  writeFileSync(file, `${introduction(project, leftOut)}\n\n${timeless(body)}`);
} finally {
  project.remove();
}

async function chosen({ folder }: Project): Promise<{ judged: string[]; leftOut: string[] }> {
  const judged: string[] = [];
  const leftOut: string[] = [];
  for (const column of columns) {
    const reason = await absence(column, folder);
    if (reason === undefined) judged.push(column.target);
    else leftOut.push(`\`${column.target}\`: ${reason}`);
  }
  return { judged, leftOut };
}

async function absence(column: Column, folder: string): Promise<string | undefined> {
  if (!existsSync(join(folder, "node_modules", column.package))) return `${column.package} is not there`;
  if (column.server !== undefined && !process.env[column.server]) return `${column.server} was not set`;
  if (column.target !== "official-sqlite") return undefined;
  const open = 'require("@langchain/langgraph-checkpoint-sqlite").SqliteSaver.fromConnString(":memory:")';
  const code = await run(process.execPath, ["-e", open], { folder, expected: [0, 1] });
  return code === 0 ? undefined : "better-sqlite3 could not be compiled here";
}

async function report({ folder }: Project, targets: readonly string[]): Promise<string> {
  const cli = join(packageRoot, "dist", "cli.mjs");
  const file = join(folder, "report.md");
  await run(process.execPath, [cli, ...targets, "--timeout-scale", "3", "--reporter", `markdown=${file}`], {
    folder,
    expected: [0, 1],
  });
  return readFileSync(file, "utf8");
}

/** Ids are made of the time, folders of chance: numbered and named, they change only where a finding does. */
function timeless(text: string): string {
  const sections = text.split(/^(?=### )/m).map((section) => {
    const seen: string[] = [];
    return section.replaceAll(anId, (id) => {
      if (!seen.includes(id)) seen.push(id);
      return `id ${seen.indexOf(id) + 1}`;
    });
  });
  return sections.join("").replaceAll(/[\w/]*\/conformance-\w{6}\b/g, "(folder)");
}

function groupsOf(level: string): string {
  return groups
    .filter((group) => group.level === level)
    .map(({ name }) => name)
    .join(", ");
}

function introduction({ installed }: Project, leftOut: readonly string[]): string {
  const absent = leftOut.length > 0 ? `\n\nLeft out of this run: ${leftOut.join("; ")}.` : "";
  return `# How savers fare

Written by \`pnpm build && pnpm --filter @langgraph-savers/conformance matrix\`; not edited by hand. One column is made
by, for example, \`npx @langgraph-savers/conformance official-sqlite\`.

What LangGraph relies on are the groups of the core: ${groupsOf("core")}. Those of the level extended (${groupsOf("extended")})
ask for more than LangGraph's own savers set out to do, so that a failure there is a limit to know of rather than a
defect. A level asks for every scenario of its groups, which is why a saver with a single gap in the core has none: read
which gap it is.

Tried with ${installed.join(", ")}.${absent}`;
}
