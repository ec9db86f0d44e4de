import type { ReportInput, Reporter } from "../reporter.js";
import { isFailure, matrixOf, statusGlyph, type Status, statusWords } from "../summary.js";
import { saverCard } from "./card.js";
import { groupSection } from "./group.js";
import { html, Markup } from "./markup.js";
import { styles } from "./styles.js";

/** One page that stands alone: no script, no font and no picture from elsewhere. */
export const page: Reporter = (input) => {
  const { runs, version } = input;
  const groups = matrixOf(input);
  const scenarios = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const names = runs.map(({ report }) => report.name);
  const title = names.length === 1 ? `${names[0]}: conformance` : "Checkpoint savers: conformance";
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <style>
          ${new Markup(styles)}
        </style>
      </head>
      <body style="--savers: ${names.length}">
        <header>
          <h1>${title}</h1>
          <p>
            ${scenarios} scenarios of the LangGraph checkpointer contract, tried by
            @langgraph-savers/conformance ${version}.
          </p>
        </header>
        <main>
          <section class="cards" aria-label="Savers">${runs.map((run) => saverCard(run, input))}</section>
          <div class="controls">
            <p class="legend">${legend(input)}</p>
            ${filter(input)}
          </div>
          ${groups.map((group) => groupSection(group, names))}
        </main>
      </body>
    </html> `.text;
};

function legend({ runs }: ReportInput): Markup[] {
  const used = new Set(runs.flatMap(({ report }) => report.results.map(({ status }) => status)));
  const statuses = Object.keys(statusGlyph) as Status[];
  return statuses
    .filter((status) => used.has(status))
    .map(
      (status) =>
        html`<span
          ><i class="mark ${status}" aria-hidden="true">${statusGlyph[status]}</i>
          ${statusWords[status]}</span
        >`,
    );
}

/** Nothing to narrow down to where nothing fails. */
function filter({ runs }: ReportInput): Markup {
  if (!runs.some(({ report }) => report.results.some(({ status }) => isFailure(status)))) return html``;
  return html`<label><input type="checkbox" id="only-failing" /> Only what fails</label>`;
}
