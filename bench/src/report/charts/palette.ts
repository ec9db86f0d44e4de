/** Ours, the peer, and a third to compare with. */
export type Role = "ours" | "peer" | "other";

const LIGHT = {
  ground: "#ffffff",
  card: "#f6f8fa",
  text: "#1f2328",
  muted: "#59636e",
  grid: "#d8dee4",
  ours: "#0b6bcb",
  peer: "#d1541b",
  other: "#8250df",
  good: "#1a7f37",
  bad: "#c0362c",
};
const DARK: typeof LIGHT = {
  ground: "#0d1117",
  card: "#161b22",
  text: "#e6edf3",
  muted: "#9198a1",
  grid: "#30363d",
  ours: "#58a6ff",
  peer: "#ff9a5c",
  other: "#bc8cff",
  good: "#3fb950",
  bad: "#ff7b72",
};

const variables = (palette: typeof LIGHT) =>
  Object.entries(palette)
    .map(([name, color]) => `--${name}:${color}`)
    .join(";");

/** The colours for light and dark, wherever `scope` is the root. */
export function colors(scope: string): string {
  return `${scope}{${variables(LIGHT)}}@media (prefers-color-scheme:dark){${scope}{${variables(DARK)}}}`;
}

/** How the elements of a chart look. */
export const CHART_STYLE =
  "text{font:12px system-ui,-apple-system,'Segoe UI',sans-serif;fill:var(--text)}" +
  ".title{font-size:15px;font-weight:600}.muted{fill:var(--muted)}.strong{font-weight:600}" +
  ".grid{stroke:var(--grid);stroke-width:1}.axis{stroke:var(--muted);stroke-width:1.5}" +
  ".curve{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}" +
  ".curve.ours{stroke:var(--ours)}.curve.peer{stroke:var(--peer)}.curve.other{stroke:var(--other)}" +
  "rect.ours{fill:var(--ours)}rect.peer{fill:var(--peer)}rect.other{fill:var(--other)}" +
  "text.ours{fill:var(--ours)}text.peer{fill:var(--peer)}text.other{fill:var(--other)}" +
  ".whisker{stroke:var(--text);stroke-width:1.5;opacity:.65}";

/** A picture on its own, with a ground of its own: readable wherever it is shown. */
export function standalone(chart: Chart, title: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${chart.width} ${chart.height}" width="${chart.width}" ` +
    `height="${chart.height}" role="img" aria-label="${title}"><style>${colors("svg")}${CHART_STYLE}</style>` +
    `<rect width="100%" height="100%" rx="6" fill="var(--ground)"/>${chart.body}</svg>\n`
  );
}

/** The same inside a page that has the style. */
export function inline({ width, height, body }: Chart): string {
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">${body}</svg>`;
}

export interface Chart {
  width: number;
  height: number;
  body: string;
}

/** Several charts in rows. */
export function tiled(charts: readonly Chart[], columns: number): Chart {
  const width = Math.max(...charts.map((chart) => chart.width));
  const height = Math.max(...charts.map((chart) => chart.height));
  const body = charts.map(
    (chart, at) =>
      `<g transform="translate(${(at % columns) * width} ${Math.floor(at / columns) * height})">${chart.body}</g>`,
  );
  const rows = Math.ceil(charts.length / columns);
  return { width: width * Math.min(columns, charts.length), height: height * rows, body: body.join("") };
}
