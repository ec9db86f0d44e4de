import type { ReportInput, TargetRun } from "../reporter.js";
import { gradeOf } from "../grade.js";
import { absentWords, countWords, formatDuration, type Status } from "../summary.js";
import { html, type Markup } from "./markup.js";

/** What a reader in a hurry wants to know of one saver. */
export function saverCard({ report, notes }: TargetRun, input: ReportInput): Markup {
  const { level, meaning, good } = gradeOf(report, input);
  const absent = absentWords(report);
  return html`<article class="card ${good ? "good" : "bad"}">
    <h2>${report.name}</h2>
    <p class="level"><b>${level}</b> ${meaning}</p>
    ${bar(report.results.map(({ status }) => status))}
    <p class="counts">
      ${countWords(report).join(" · ")} <span>in ${formatDuration(report.durationMs)}</span>
    </p>
    ${absent.length > 0 ? html`<p class="absent">Not there, so not judged: ${absent.join(", ")}</p>` : html``}
    ${notes.map((note) => html`<p class="note">${note}</p>`)}
  </article> `;
}

function bar(statuses: readonly Status[]): Markup {
  const order: Status[] = ["passed", "expected-failure", "unexpected-pass", "failed", "skipped"];
  const parts = order
    .map((status) => ({ status, count: statuses.filter((one) => one === status).length }))
    .filter(({ count }) => count > 0);
  return html`<div class="bar" aria-hidden="true">
    ${parts.map(({ status, count }) => html`<i class="${status}" style="flex-grow: ${count}"></i>`)}
  </div>`;
}
