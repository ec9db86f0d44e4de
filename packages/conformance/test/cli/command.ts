import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const packageRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const cli = join(packageRoot, "dist", "cli.mjs");

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A folder as a user's project is: files, and packages beside them. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), "conformance-project-"));

  constructor(files: Record<string, string> = {}) {
    const modules = join(this.folder, "node_modules");
    mkdirSync(modules);
    symlinkSync(join(packageRoot, "node_modules", "@langchain"), join(modules, "@langchain"), "junction");
    this.write(files);
  }

  write(files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.folder, name), text);
  }

  /** Puts a package into the project, with `index.mjs` to import, or `index.cjs` to require. */
  install(name: string, files: Record<string, string>): void {
    const folder = join("node_modules", name);
    const exports = { import: "./index.mjs", require: "./index.cjs" };
    mkdirSync(join(this.folder, folder), { recursive: true });
    this.write({ [join(folder, "package.json")]: JSON.stringify({ name, exports }) });
    for (const [file, text] of Object.entries(files)) this.write({ [join(folder, file)]: text });
  }

  /** Puts packages in the place of those that the kit has: all of their exports, and code of one's own. */
  replace(packages: Record<string, string>): void {
    rmSync(join(this.folder, "node_modules", "@langchain"), { recursive: true });
    for (const [name, code] of Object.entries(packages)) {
      const original = realpathSync(join(packageRoot, "node_modules", name, "dist"));
      const url = pathToFileURL(join(original, "index.js")).href;
      this.install(name, {
        "index.mjs": `export * from ${JSON.stringify(url)};\n${code}`,
        "index.cjs": `module.exports = require(${JSON.stringify(join(original, "index.cjs"))});\n${code}`,
      });
    }
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** The built command, as a user would run it here, to its end; or to Ctrl-C, when it says those words. */
  run(args: readonly string[], env: NodeJS.ProcessEnv = {}, interruptAt?: string): Promise<Finished> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [cli, ...args], {
        cwd: this.folder,
        env: { PATH: process.env["PATH"], TMPDIR: tmpdir(), ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const finished: Finished = { code: null, stdout: "", stderr: "" };
      child.stdout.setEncoding("utf8").on("data", (text: string) => (finished.stdout += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        finished.stderr += text;
        if (interruptAt !== undefined && finished.stderr.includes(interruptAt)) child.kill("SIGINT");
      });
      child.on("error", reject);
      child.on("close", (code) => resolve({ ...finished, code }));
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A saver that loses every regular write, in a module of its own. */
export const losesWrites = `
import { MemorySaver } from "@langchain/langgraph-checkpoint";
class LosesWrites extends MemorySaver {
  async putWrites() {}
}
export default { name: "LosesWrites", create: () => ({ saver: new LosesWrites() }) };
`;
