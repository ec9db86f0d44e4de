const WIDTH = 28;
const REDRAW_MS = 100;
const LINE_MS = 15_000;

export interface Job {
  name: string;
  /** About how long it takes; only the proportions count. */
  seconds: number;
}

/** A bar in a terminal; a line now and then where the output is a file. */
export class Progress {
  readonly #jobs: readonly Job[];
  readonly #out: NodeJS.WriteStream;
  readonly #start = performance.now();
  #at = 0;
  #done = 0;
  #shown = 0;

  constructor(jobs: readonly Job[], out: NodeJS.WriteStream = process.stderr) {
    this.#jobs = jobs;
    this.#out = out;
  }

  /** The next job begins. */
  begin(at: number): void {
    this.#at = at;
    this.#done = 0;
    this.#show("", this.#out.isTTY);
  }

  update(done: number, detail: string): void {
    this.#done = done;
    this.#show(detail, false);
  }

  /** A message above the bar. */
  say(text: string): void {
    this.clear();
    this.#out.write(`${text}\n`);
  }

  clear(): void {
    if (this.#out.isTTY) this.#out.write("\r\u001B[2K");
  }

  #show(detail: string, always: boolean): void {
    const now = performance.now();
    if (!always && now - this.#shown < (this.#out.isTTY ? REDRAW_MS : LINE_MS)) return;
    this.#shown = now;
    const line = barLine(this.#jobs, this.#at, this.#done, now - this.#start, detail);
    if (!this.#out.isTTY) this.#out.write(`${line}\n`);
    else this.#out.write(`\r\u001B[2K${line.slice(0, (this.#out.columns || 100) - 1)}`);
  }
}

export function barLine(
  jobs: readonly Job[],
  at: number,
  done: number,
  elapsedMs: number,
  detail: string,
): string {
  const total = jobs.reduce((sum, { seconds }) => sum + seconds, 0);
  const past = jobs.slice(0, at).reduce((sum, { seconds }) => sum + seconds, 0);
  const share = (past + jobs[at]!.seconds * done) / total;
  const filled = Math.round(share * WIDTH);
  const left = share > 0.03 ? `, ${clock((elapsedMs * (1 - share)) / share)} left` : "";
  const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
  const percent = `${Math.round(share * 100)}%`.padStart(4);
  return `${bar}${percent}  ${clock(elapsedMs)}${left}  ${jobs[at]!.name}${detail === "" ? "" : ` · ${detail}`}`;
}

function clock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
