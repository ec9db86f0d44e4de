import { type Grade, gradeOf } from "./grade.js";
import type { Reporter } from "./reporter.js";
import { escapeXml } from "./xml.js";

const colours: Record<Grade["level"], string> = {
  "not graded": "#6b7280",
  "not conformant": "#c0392b",
  core: "#5b7f1d",
  extended: "#2f7d32",
  durable: "#1b7a4b",
  "fault-tested": "#0b6e75",
};

const LABEL = "langgraph saver";
const HEIGHT = 20;

/** A badge with the level of the saver; of several savers, one badge above the other with their names. */
export const badge: Reporter = (input) => {
  const { runs } = input;
  const rows = runs.map(({ report }) => ({
    label: runs.length === 1 ? LABEL : report.name,
    level: gradeOf(report, input).level,
  }));
  const labelWidth = Math.max(0, ...rows.map(({ label }) => textWidth(label)));
  const levelWidth = Math.max(0, ...rows.map(({ level }) => textWidth(level)));
  const width = labelWidth + levelWidth;
  const height = Math.max(0, rows.length * (HEIGHT + 4) - 4);
  const title = rows.map(({ label, level }) => `${label}: ${level}`).join(", ");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">`,
    `  <title>${escapeXml(title)}</title>`,
    `  <g font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" fill="#fff" text-anchor="middle">`,
    ...rows.flatMap(({ label, level }, index) => {
      const top = index * (HEIGHT + 4);
      return [
        `    <path fill="#3b4252" d="${leftHalf(top, labelWidth)}"/>`,
        `    <path fill="${colours[level]}" d="${rightHalf(top, labelWidth, width)}"/>`,
        `    <text x="${labelWidth / 2}" y="${top + 14}">${escapeXml(label)}</text>`,
        `    <text x="${labelWidth + levelWidth / 2}" y="${top + 14}">${level}</text>`,
      ];
    }),
    "  </g>",
    "</svg>",
    "",
  ].join("\n");
};

/** No font can be measured here: the average of Verdana at 11 px, and room to both sides. */
function textWidth(text: string): number {
  return Math.round(text.length * 6.9) + 16;
}

function leftHalf(top: number, width: number): string {
  return `M3 ${top}h${width - 3}v${HEIGHT}H3a3 3 0 0 1-3-3V${top + 3}a3 3 0 0 1 3-3z`;
}

function rightHalf(top: number, from: number, to: number): string {
  return `M${from} ${top}H${to - 3}a3 3 0 0 1 3 3v${HEIGHT - 6}a3 3 0 0 1-3 3H${from}z`;
}
