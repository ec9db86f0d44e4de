// pnpm chaos:mongodb --kills 200
import { parseArgs } from "node:util";

import { killUnderLoad } from "./kills.js";

const { values } = parseArgs({ options: { kills: { type: "string", default: "100" } } });
const kills = Number(values.kills);
if (!Number.isSafeInteger(kills) || kills < 1) {
  console.error("--kills must be a number, 1 or more");
  process.exit(2);
}
const { acknowledged, lost, wrong } = await killUnderLoad(kills, (done) => {
  console.log(`killed and restarted ${done} of ${kills} times`);
});
console.log(`${acknowledged} acknowledged, ${lost.length} lost, ${wrong.length} wrong`);
for (const name of [...lost, ...wrong]) console.log(`  ${name}`);
process.exitCode = lost.length + wrong.length > 0 ? 1 : 0;
