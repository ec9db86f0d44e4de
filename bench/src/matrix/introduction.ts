import { readFileSync } from "node:fs";

import { groups } from "@langgraph-savers/conformance";

const tried = [
  "@langchain/core",
  "@langchain/langgraph",
  "@langchain/langgraph-checkpoint",
  "@langchain/langgraph-checkpoint-sqlite",
  "@langchain/langgraph-checkpoint-mongodb",
  "mongodb",
  "@aws-sdk/client-dynamodb",
];

export function introduction(): string {
  return `# How savers fare

Written by \`pnpm build && pnpm --filter @langgraph-savers/conformance matrix\`; not edited by hand. Any failure is seen
again by the saver's name and the scenario's id, in a project that has the saver's package:

\`\`\`sh
npx @langgraph-savers/conformance official-sqlite --only list.limit-zero
\`\`\`

The names are \`memory\`, \`official-sqlite\`, \`official-mongodb\`, \`in-memory\`, \`file\`, \`mongodb\` and \`dynamodb\`; those of MongoDB and
DynamoDB need \`MONGODB_URI\` and \`DYNAMODB_ENDPOINT\`. [SCENARIOS.md](./SCENARIOS.md) has the rule of every scenario.

What LangGraph relies on are the groups of the core: ${groupsOf("core")}. Those of the level extended
(${groupsOf("extended")}) ask for more than LangGraph's own savers set out to do, so that a failure there is a limit to know of
rather than a defect. Operations on threads (${groupsOf("none")}) are tried where a saver has them. A level asks for every scenario of
its groups, which is why a saver with a single gap in the core has none: read which gap it is. Failures of the storage (\`faults\`) are
tried by our packages' own tests, where there are ways to cause them. What a race decides (\`concurrency\`) may take a few runs to be seen.

Tried with ${tried.map((name) => `${name} ${versionOf(name)}`).join(", ")}.`;
}

function groupsOf(level: string): string {
  return groups
    .filter((group) => group.level === level)
    .map(({ name }) => name)
    .join(", ");
}

function versionOf(name: string): string {
  const manifest = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}
