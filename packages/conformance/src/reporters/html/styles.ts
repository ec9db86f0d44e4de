/** Light by default, dark where the reader's system is; wide tables shrink to marks on a phone. */
export const styles = `
:root {
  --page: #f6f7f9; --sheet: #fff; --ink: #1c2330; --soft: #5c6675; --line: #e1e5eb; --code: #f0f2f5;
  --good: #1a7f4b; --good-soft: #e3f4ea; --bad: #c0312b; --bad-soft: #fdeae8; --gap: #9a6700; --gap-soft: #fdf3d7;
  --idle: #8b95a5; --idle-soft: #eceff3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161d; --sheet: #1a2029; --ink: #e4e8ee; --soft: #9aa5b5; --line: #2b3340; --code: #232b37;
    --good: #5fd08f; --good-soft: #173326; --bad: #ff8a80; --bad-soft: #3d1f20; --gap: #e7bd55; --gap-soft: #382d12;
    --idle: #77828f; --idle-soft: #252d38;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: max(76rem, calc(40rem + var(--savers) * 7.2rem));
  /* With many savers the columns give way: the rule must stay readable. */
  --cell: clamp(6.7rem, calc(36rem / var(--savers)), 7.5rem); background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .25rem; letter-spacing: -.01em; }
h2, h3, p, dl, dd, pre { margin: 0; }
code, pre { font: .86em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
header p { color: var(--soft); }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); margin: 1.5rem 0; }
.card { background: var(--sheet); border: 1px solid var(--line); border-top: 3px solid var(--tone); border-radius: 8px; padding: 1rem 1.1rem; }
.card.good { --tone: var(--good); --tone-soft: var(--good-soft); } .card.bad { --tone: var(--bad); --tone-soft: var(--bad-soft); }
.card h2 { font-size: 1.05rem; overflow-wrap: anywhere; }
.level { color: var(--soft); font-size: .92rem; }
.level b { display: table; margin: .35rem 0 .3rem; padding: .05rem .6rem; border-radius: 1rem; color: var(--tone); background: var(--tone-soft); }
.bar { display: flex; gap: 2px; height: 8px; margin: .75rem 0 .5rem; border-radius: 4px; overflow: hidden; }
.bar i { min-width: 3px; }
.bar .passed { background: var(--good); } .bar .failed, .bar .unexpected-pass { background: var(--bad); }
.bar .expected-failure { background: var(--gap); } .bar .skipped { background: var(--idle-soft); }
.counts span, .absent { color: var(--soft); } .absent, .note { font-size: .87rem; margin-top: .35rem; }
.note { color: var(--gap); overflow-wrap: anywhere; } .note::before { content: "⚠ "; }
.controls { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; justify-content: space-between; margin-bottom: .75rem; color: var(--soft); font-size: .9rem; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; }
.controls label { cursor: pointer; }
.controls input { accent-color: var(--bad); vertical-align: -2px; }
.mark { display: inline-grid; place-items: center; width: 1.45rem; height: 1.45rem; border-radius: 50%; font: 700 .8rem/1 system-ui, sans-serif; }
.mark.passed { color: var(--good); background: var(--good-soft); }
.mark.failed, .mark.unexpected-pass { color: var(--bad); background: var(--bad-soft); }
.mark.expected-failure { color: var(--gap); background: var(--gap-soft); }
.mark.skipped { color: var(--idle); background: var(--idle-soft); }
.group { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; margin-bottom: .6rem; overflow: hidden; }
.line { display: grid; grid-template-columns: .8rem minmax(0, 1fr) repeat(var(--savers), var(--cell)); align-items: center; gap: .5rem; padding: .45rem 1rem; }
.line::before { content: ""; } summary.line::before { content: "›"; color: var(--idle); font-weight: 600; justify-self: center; transition: rotate .12s; }
[open] > summary.line::before { rotate: 90deg; }
.line > :not(:first-child) { text-align: center; }
summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary:focus-visible { outline: 2px solid var(--soft); outline-offset: -2px; }
.group > summary { padding-block: .65rem; }
.group > summary h2 { font-size: 1rem; }
.tally { font-variant-numeric: tabular-nums; font-size: .9rem; }
.tally.passed { color: var(--good); } .tally.failed { color: var(--bad); font-weight: 600; }
.tally.expected-failure { color: var(--gap); } .tally.skipped { color: var(--idle); }
.heads { color: var(--soft); font-size: .8rem; padding-block: 0 .35rem; }
.heads { align-items: end; line-height: 1.3; } .heads span { overflow: hidden; overflow-wrap: anywhere; }
.row { border-top: 1px solid var(--line); }
.row > summary:hover, .group > summary:hover { background: color-mix(in srgb, var(--code) 55%, transparent); }
.what { overflow-wrap: anywhere; }
.what > code { font-weight: 600; margin-right: .4rem; }
.what > span { color: var(--soft); }
.told { padding: .1rem 1rem 1rem 2.3rem; max-width: 62rem; }
.fine { margin-top: .8rem; color: var(--soft); }
.result { margin-top: .8rem; padding-left: .9rem; border-left: 3px solid var(--line); }
.result.failed, .result.unexpected-pass { border-color: var(--bad); } .result.expected-failure { border-color: var(--gap); }
.result h3 { font-size: .95rem; display: flex; flex-wrap: wrap; align-items: center; gap: .4rem; }
.result h3 span { font-weight: 400; color: var(--soft); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem .9rem; margin-top: .4rem; }
dt { color: var(--soft); }
.prose { white-space: pre-line; overflow-wrap: anywhere; }
pre { background: var(--code); border-radius: 5px; padding: .3rem .6rem; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 22rem; overflow: auto; }
.stack { margin-top: .5rem; color: var(--soft); font-size: .9rem; } .stack summary { text-decoration: underline; }
body:has(#only-failing:checked) :is(.group, .row):not(.failing) { display: none; }
@media (max-width: 46rem) {
  body { padding: 1.25rem .75rem 3rem; --cell: 2.1rem; }
  .line { gap: .25rem; padding-inline: .6rem; }
  .what > code { display: block; margin: 0; }
  .what > span { font-size: .9rem; }
  .heads span:not(:first-child) { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 9rem; justify-self: center; text-align: left; text-overflow: ellipsis; white-space: nowrap; }
  .tally { font-size: .75rem; white-space: nowrap; }
  .told { padding-left: 1.7rem; }
  dl { grid-template-columns: minmax(0, 1fr); gap: .1rem; } dd { margin-bottom: .3rem; }
}
@media print { body { background: #fff; max-width: none; } .group { break-inside: auto; } }
`;
