import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

import { CommandError } from "../command/errors.js";

/** A thread that was copied and read back. */
export interface Done {
  threadId: string;
  /** The source's, when it was copied; it may have changed since. */
  stamp: string | undefined;
  /** Its newest checkpoint: as long as the target has that one, it was not emptied meanwhile. */
  newest: [namespace: string, checkpointId: string];
}

interface Header {
  journal: "langgraph-savers copy";
  version: number;
  source: string;
  target: string;
}

const VERSION = 1;

/** Which threads of a copy are done, in a file that outlives the process: a line for each, added when it is. */
export class Journal {
  private constructor(
    readonly path: string,
    private readonly header: Header,
    readonly done: ReadonlyMap<string, Done>,
  ) {}

  /** Goes on with the journal of the same copy, if it was interrupted. */
  static async open(path: string, source: string, target: string): Promise<Journal> {
    const header: Header = { journal: "langgraph-savers copy", version: VERSION, source, target };
    const text = await readFile(path, "utf8").catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    });
    const done = new Map<string, Done>();
    if (text !== undefined) {
      const [first, ...lines] = text.split("\n").flatMap(parsed);
      if (JSON.stringify(first) !== JSON.stringify(header))
        throw new CommandError(
          `${path} is not the journal of this copy. Name another file, or remove it to start anew.`,
        );
      for (const line of lines as Done[]) done.set(line.threadId, line);
    }
    return new Journal(path, header, done);
  }

  async add(thread: Done): Promise<void> {
    await (this.#started ??= this.#start());
    await appendFile(this.path, `${JSON.stringify(thread)}\n`);
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }

  #started: Promise<void> | undefined;

  /** Written anew: what a killed process left of a line must not run into the next one. */
  async #start(): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    const lines = [this.header, ...this.done.values()].map((line) => `${JSON.stringify(line)}\n`);
    const unfinished = `${this.path}.${process.pid}`;
    await writeFile(unfinished, lines.join(""), { mode: 0o600 });
    await rename(unfinished, this.path);
  }
}

/** Where the journal of a copy is, unless the user names a place. */
export function journalPath(source: string, target: string, env: NodeJS.ProcessEnv): string {
  const name = createHash("sha256").update(`${source}\n${target}`).digest("hex").slice(0, 16);
  const state = env["XDG_STATE_HOME"] || join(env["HOME"] || homedir(), ".local", "state");
  return join(state, "langgraph-savers", `copy-${name}.jsonl`);
}

/** Nothing for a line that a killed process left unfinished. */
function parsed(line: string): unknown[] {
  try {
    return line === "" ? [] : [JSON.parse(line) as unknown];
  } catch {
    return [];
  }
}
