import { value } from "../../suite/format.js";
import type { Unit } from "../../suite/measures.js";
import { label, px } from "./markup.js";
import type { Chart, Role } from "./palette.js";

export interface Bar {
  label: string;
  role: Role;
  amount: number;
}

const WIDTH = 460;
const ROW = 22;
const LEFT = 150;
const RIGHT = 74;
const TOP = 38;

/** Figures of several subjects below each other: shorter is better. */
export function barChart(title: string, unit: Unit, bars: readonly Bar[]): Chart {
  const most = Math.max(...bars.map(({ amount }) => amount));
  const body = [label(14, 22, title, "strong")];
  bars.forEach(({ label: name, role, amount }, at) => {
    const y = TOP + at * ROW;
    const width = Math.max((amount / most) * (WIDTH - LEFT - RIGHT), 1);
    body.push(label(LEFT - 10, y + 11, name, "", "end"));
    body.push(`<rect x="${LEFT}" y="${px(y)}" width="${px(width)}" height="14" rx="2" class="${role}"/>`);
    body.push(label(LEFT + width + 6, y + 11, value(amount, unit), "muted"));
  });
  return { width: WIDTH, height: TOP + bars.length * ROW + 8, body: body.join("") };
}
