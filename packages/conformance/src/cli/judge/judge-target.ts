import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ConformanceReport, ScenarioResult } from "../../report.js";
import type { CatalogueEntry, TargetRun } from "../../reporters/reporter.js";
import { TargetError } from "../../targets/target-error.js";
import type { Progress } from "../progress.js";
import { UsageError } from "../usage-error.js";
import type { JudgeMessage } from "./messages.js";
import { patchedReport } from "./patched-report.js";
import { type Ending, watchJudge } from "./watch.js";

export interface JudgeOptions {
  folder: string;
  /** Patterns of the scenarios to try; all without any. */
  only: readonly string[];
  timeoutScale: number;
  progress: Progress;
}

export interface Judgement {
  run: TargetRun;
  /** Every scenario that there is, tried or not. */
  catalogue: readonly CatalogueEntry[];
}

/** A saver that ends its process over and over is wrong enough; the rest need not be tried. */
const MOST_DEATHS = 3;

/** Tries the scenarios on a target, in as many processes as the saver needs. */
export async function judgeTarget(target: string, options: JudgeOptions): Promise<Judgement> {
  const scratch = mkdtempSync(join(tmpdir(), "conformance-"));
  const remove = () => rmSync(scratch, { recursive: true, force: true });
  // Also when the command is ended by a signal.
  process.once("exit", remove);
  try {
    return await new Judging(target, scratch, options).run();
  } finally {
    process.removeListener("exit", remove);
    remove();
  }
}

class Judging {
  #loaded: Extract<JudgeMessage, { type: "loaded" }> | undefined;
  #pending: readonly CatalogueEntry[] = [];
  readonly #results: ScenarioResult[] = [];
  readonly #notes = new Map<string, number>();
  readonly #startedAt = performance.now();
  #deaths = 0;

  constructor(
    private readonly target: string,
    private readonly scratch: string,
    private readonly options: JudgeOptions,
  ) {}

  async run(): Promise<Judgement> {
    for (;;) {
      const ending = await this.#attempt();
      if (ending.type === "refused") throw this.#refusal(ending);
      if (ending.type === "done") return this.#finished(ending.report);
      if (this.#loaded === undefined)
        throw new TargetError(`${this.target}: its process ended while it was loaded: ${ending.how}`);
      this.#died(ending.how);
      if (this.#pending.length === 0) return this.#finished(undefined);
    }
  }

  #attempt(): Promise<Ending> {
    const { folder, timeoutScale, progress } = this.options;
    const only = this.#loaded === undefined ? [...this.options.only] : this.#pending.map(({ id }) => id);
    return watchJudge(
      { target: this.target, folder, scratch: this.scratch, only, timeoutScale },
      { onMessage: (message) => this.#hear(message), onOutput: (text) => progress.saverOutput(text) },
    );
  }

  #hear(message: JudgeMessage): void {
    if (message.type === "loaded" && this.#loaded === undefined) {
      this.#loaded = message;
      this.#pending = message.catalogue.filter(({ id }) => message.selected.includes(id));
      this.options.progress.start(message.name, this.#pending.length);
      this.#announceNext();
    }
    if (message.type === "note") this.#note(message.note);
    if (message.type === "result") this.#record(message.result);
  }

  #record(result: ScenarioResult): void {
    this.#results.push(result);
    this.#pending = this.#pending.filter(({ id }) => id !== result.id);
    this.options.progress.finished(result);
    this.#announceNext();
  }

  #announceNext(): void {
    const [next] = this.#pending;
    if (next !== undefined) this.options.progress.trying(next.id);
  }

  /** The scenario that was being tried failed; after too many of those, so did the ones behind it. */
  #died(how: string): void {
    this.#deaths += 1;
    const [victim, ...others] = this.#pending;
    this.#note(`The process that ran the saver ended before its time: ${how}`);
    if (victim !== undefined)
      this.#record(failure(victim, `The process ended while this was tried: ${how}.`));
    if (this.#deaths < MOST_DEATHS) return;
    for (const scenario of others)
      this.#record(failure(scenario, `Not tried: the saver ended its process ${this.#deaths} times before.`));
  }

  #refusal({ because, message }: Extract<Ending, { type: "refused" }>): Error {
    return because === "usage" ? new UsageError(message) : new TargetError(`${this.target}: ${message}`);
  }

  #note(note: string): void {
    this.#notes.set(note, (this.#notes.get(note) ?? 0) + 1);
  }

  #finished(last: ConformanceReport | undefined): Judgement {
    const { name = this.target, catalogue = [] } = this.#loaded ?? {};
    const report =
      this.#deaths === 0 && last !== undefined
        ? last
        : patchedReport(name, this.#results, catalogue, performance.now() - this.#startedAt);
    const notes = Array.from(this.#notes, ([note, times]) => (times > 1 ? `${note} (${times} times)` : note));
    return { run: { report, notes }, catalogue };
  }
}

function failure({ id, group }: CatalogueEntry, message: string): ScenarioResult {
  return { id, group, status: "failed", error: { message }, durationMs: 0 };
}
