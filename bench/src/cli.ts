import { codec } from "./codec.js";
import { file } from "./file.js";

const benches: Record<string, () => Promise<boolean>> = { codec, file };

const names = process.argv.slice(2).filter((name) => name !== "--");
const unknown = names.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`No bench named ${unknown.join(", ")}. There are: ${Object.keys(benches).join(", ")}.`);
  process.exitCode = 2;
} else {
  for (const name of names.length > 0 ? names : Object.keys(benches)) {
    if (!(await benches[name]!())) process.exitCode = 1;
  }
}
