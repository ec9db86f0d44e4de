import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Capability, ConformanceReport, ScenarioResult } from "../../report.js";
import type { TargetRun } from "../../reporters/reporter.js";
import type { Scenario } from "../../scenario.js";
import { TargetError } from "../../targets/target-error.js";
import type { Progress } from "../progress.js";
import type { JudgeMessage } from "./messages.js";
import { type Ending, watchJudge } from "./watch.js";

export interface JudgeOptions {
  folder: string;
  scenarios: readonly Scenario[];
  timeoutScale: number;
  progress: Progress;
}

/** A saver that ends its process over and over is wrong enough; the rest need not be tried. */
const MOST_DEATHS = 3;

/** Tries the scenarios on a target, in as many processes as the saver needs. */
export async function judgeTarget(target: string, options: JudgeOptions): Promise<TargetRun> {
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
  #name: string;
  readonly #results: ScenarioResult[] = [];
  readonly #notes = new Map<string, number>();
  readonly #startedAt = performance.now();
  #deaths = 0;

  constructor(
    private readonly target: string,
    private readonly scratch: string,
    private readonly options: JudgeOptions,
  ) {
    this.#name = target;
  }

  async run(): Promise<TargetRun> {
    for (;;) {
      const ending = await this.#attempt();
      if (ending.type === "refused") throw new TargetError(`${this.target}: ${ending.message}`);
      if (ending.type === "done") return this.#finished(ending.report);
      this.#died(ending.how);
      if (this.#pending.length === 0) return this.#finished(undefined);
    }
  }

  get #pending(): readonly Scenario[] {
    return this.options.scenarios.slice(this.#results.length);
  }

  #attempt(): Promise<Ending> {
    const { folder, timeoutScale, progress } = this.options;
    const only = this.#pending.map(({ id }) => id);
    return watchJudge(
      { target: this.target, folder, scratch: this.scratch, only, timeoutScale },
      { onMessage: (message) => this.#hear(message), onOutput: (text) => progress.saverOutput(text) },
    );
  }

  #hear(message: JudgeMessage): void {
    if (message.type === "loaded" && this.#deaths === 0) {
      this.#name = message.name;
      this.options.progress.start(message.name, this.options.scenarios.length);
      this.#announceNext();
    }
    if (message.type === "note") this.#note(message.note);
    if (message.type === "result") this.#record(message.result);
  }

  #record(result: ScenarioResult): void {
    this.#results.push(result);
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

  #note(note: string): void {
    this.#notes.set(note, (this.#notes.get(note) ?? 0) + 1);
  }

  #finished(last: ConformanceReport | undefined): TargetRun {
    const report = this.#deaths === 0 && last !== undefined ? last : this.#patchedReport();
    const notes = Array.from(this.#notes, ([note, times]) => (times > 1 ? `${note} (${times} times)` : note));
    return { report, notes };
  }

  /** No single process has seen all of it, and none of its levels is for a saver that takes the process with it. */
  #patchedReport(): ConformanceReport {
    const count = (...statuses: ScenarioResult["status"][]) =>
      this.#results.filter(({ status }) => statuses.includes(status)).length;
    return {
      name: this.#name,
      level: "not conformant",
      passed: count("passed"),
      failed: count("failed", "unexpected-pass"),
      skipped: count("skipped"),
      expectedFailures: count("expected-failure"),
      durationMs: performance.now() - this.#startedAt,
      capabilities: this.#seenCapabilities(),
      results: this.#results,
    };
  }

  /** Present is what some scenario that needs it was tried with. */
  #seenCapabilities(): Record<Capability, boolean> {
    const tried = new Set(this.#results.flatMap(({ id, status }) => (status === "skipped" ? [] : [id])));
    const has = (capability: Capability) =>
      this.options.scenarios.some(({ id, needs }) => tried.has(id) && needs?.includes(capability) === true);
    return {
      serde: has("serde"),
      reopen: has("reopen"),
      deltaHistory: has("deltaHistory"),
      threads: has("threads"),
      faults: has("faults"),
    };
  }
}

function failure({ id, group }: Scenario, message: string): ScenarioResult {
  return { id, group, status: "failed", error: { message }, durationMs: 0 };
}
