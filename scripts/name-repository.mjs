// Before a release from a workflow: says in each manifest which repository it is published from. npm compares that with
// the provenance. It is not in the tree, where it would be wrong in every fork.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url)));
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;

if (server === undefined || repository === undefined) {
  console.log("This is no workflow: the manifests stay without a repository.");
} else {
  for (const name of readdirSync(join(root, "packages"))) {
    const file = join(root, "packages", name, "package.json");
    if (!existsSync(file)) continue;
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    if (manifest.private) continue;
    manifest.repository = {
      type: "git",
      url: `git+${server}/${repository}.git`,
      directory: `packages/${name}`,
    };
    writeFileSync(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
  }
}
