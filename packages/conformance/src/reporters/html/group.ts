import type { ScenarioResult } from "../../report.js";
import {
  findings,
  formatDuration,
  isFailure,
  type MatrixGroup,
  type MatrixRow,
  statusGlyph,
  statusWords,
} from "../summary.js";
import { html, type Markup, sentence } from "./markup.js";

/** A group of scenarios, open where something in it fails. */
export function groupSection({ name, rows }: MatrixGroup, savers: readonly string[]): Markup {
  const failing = rows.some(isFailing);
  return html`<details class="group${failing ? " failing" : ""}" ${failing ? "open" : ""}>
    <summary class="line">
      <h2>${name}</h2>
      ${savers.map((saver, column) => groupTally(rows, column, saver))}
    </summary>
    ${savers.length > 1 ? columnHeads(savers) : html``} ${rows.map((row) => scenarioRow(row, savers))}
  </details> `;
}

function columnHeads(savers: readonly string[]): Markup {
  return html`<div class="line heads" aria-hidden="true">
    <span></span>${savers.map((saver) => html`<span title="${saver}">${saver}</span>`)}
  </div>`;
}

function groupTally(rows: readonly MatrixRow[], column: number, saver: string): Markup {
  const results = rows.flatMap(({ results: byRun }) => byRun[column] ?? []);
  const passed = results.filter(({ status }) => status === "passed").length;
  const judged = results.filter(({ status }) => status !== "skipped").length;
  const failed = results.some(({ status }) => isFailure(status));
  const tone = failed ? "failed" : judged === 0 ? "skipped" : passed < judged ? "expected-failure" : "passed";
  const figures = judged === 0 ? "–" : `${passed}/${judged}`;
  return html`<span class="tally ${tone}" title="${saver}: ${passed} of ${judged} passed">${figures}</span>`;
}

function scenarioRow(row: MatrixRow, savers: readonly string[]): Markup {
  const { scenario, results } = row;
  return html`<details class="row${isFailing(row) ? " failing" : ""}" id="${scenario.id}">
    <summary class="line">
      <span class="what"><code>${scenario.id}</code> <span>${sentence(scenario.rule)}</span></span
      >${results.map((result, column) => cell(result, savers[column] ?? ""))}
    </summary>
    <div class="told">
      <p><b>Why LangGraph needs it.</b> ${sentence(scenario.why)}</p>
      ${results.map((result, column) => told(result, savers[column] ?? ""))}${passedBy(results, savers)}
    </div>
  </details> `;
}

function cell(result: ScenarioResult | undefined, saver: string): Markup {
  if (result === undefined) return html`<span title="${saver}: not tried"></span>`;
  const words = `${saver}: ${statusWords[result.status]}`;
  return html`<span title="${words}"
    ><i class="mark ${result.status}" role="img" aria-label="${words}">${statusGlyph[result.status]}</i></span
  >`;
}

function told(result: ScenarioResult | undefined, saver: string): Markup {
  if (result === undefined || result.status === "passed") return html``;
  const details = findings(result).map(({ label, text, verbatim }) =>
    verbatim
      ? html`<dt>${label}</dt>
          <dd><pre>${text}</pre></dd>`
      : html`<dt>${label}</dt>
          <dd class="prose">${sentence(text)}</dd>`,
  );
  const stack = result.error?.stack;
  return html`<section class="result ${result.status}">
    <h3>
      <i class="mark ${result.status}" aria-hidden="true">${statusGlyph[result.status]}</i> ${saver}
      <span
        >${statusWords[result.status]}${result.status === "skipped" ? "" : `, ${formatDuration(result.durationMs)}`}</span
      >
    </h3>
    ${details.length > 0 ? html`<dl>${details}</dl>` : html``}
    ${
      stack === undefined
        ? html``
        : html`<details class="stack">
            <summary>Stack</summary>
            <pre>${stack}</pre>
          </details>`
    }
  </section> `;
}

/** There is nothing to tell of those that passed: one line for all of them. */
function passedBy(results: MatrixRow["results"], savers: readonly string[]): Markup {
  const passed = results.flatMap((result, column) =>
    result?.status === "passed" ? [`${savers[column]} in ${formatDuration(result.durationMs)}`] : [],
  );
  if (passed.length === 0) return html``;
  return html`<p class="fine">
    <i class="mark passed" aria-hidden="true">${statusGlyph.passed}</i> Passed by ${passed.join(", ")}.
  </p>`;
}

function isFailing({ results }: MatrixRow): boolean {
  return results.some((result) => result !== undefined && isFailure(result.status));
}
