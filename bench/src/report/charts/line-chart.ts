import { value } from "../../suite/format.js";
import type { Unit } from "../../suite/measures.js";
import type { Points } from "../../suite/results.js";
import { label, line, px } from "./markup.js";
import type { Chart, Role } from "./palette.js";

export interface Curve {
  label: string;
  role: Role;
  points: Points;
}

export interface LineChartData {
  title: string;
  xLabel: string;
  unit: Unit;
  curves: readonly Curve[];
}

const WIDTH = 460;
const HEIGHT = 290;
const LEFT = 62;
const RIGHT = 150;
const TOP = 44;
const BOTTOM = 40;
const LABEL_HEIGHT = 30;

/** Curves that begin at nought, each named at its end with its last value. */
export function lineChart({ title, xLabel, unit, curves }: LineChartData): Chart {
  const all = curves.flatMap(({ points }) => points);
  const mostX = Math.max(...all.map(([x]) => x));
  const ticks = niceTicks(Math.max(...all.map(([, y]) => y)));
  const mostY = ticks.at(-1)!;
  const x = (at: number) => LEFT + (at / mostX) * (WIDTH - LEFT - RIGHT);
  const y = (amount: number) => HEIGHT - BOTTOM - (amount / mostY) * (HEIGHT - TOP - BOTTOM);
  const body = [label(14, 24, title, "title")];
  for (const tick of ticks) {
    body.push(line(LEFT, y(tick), WIDTH - RIGHT, y(tick), "grid"));
    body.push(
      label(
        LEFT - 8,
        y(tick) + 4,
        tick === 0 ? "0" : value(tick, unit).replace(/\.0+ /, " "),
        "muted",
        "end",
      ),
    );
  }
  for (const tick of niceTicks(mostX).filter((each) => each <= mostX))
    body.push(label(x(tick), HEIGHT - BOTTOM + 18, String(tick), "muted", "middle"));
  body.push(label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, xLabel, "muted", "middle"));
  // The others first: ours lies on top where they cross.
  for (const { points, role } of curves.toSorted(
    (a, b) => Number(a.role === "ours") - Number(b.role === "ours"),
  )) {
    const path = points.map(
      ([at, amount], first) => `${first === 0 ? "M" : "L"}${px(x(at))} ${px(y(amount))}`,
    );
    body.push(`<path d="${path.join("")}" class="curve ${role}"/>`);
  }
  const ends = curves.map((curve) => ({ ...curve, end: curve.points.at(-1)! }));
  const spots = apart(ends.map(({ end }) => y(end[1])));
  ends.forEach((curve, at) => {
    const [endX] = curve.end;
    body.push(label(x(endX) + 8, spots[at]!, curve.label, `strong ${curve.role}`));
    body.push(label(x(endX) + 8, spots[at]! + 14, value(curve.end[1], unit), curve.role));
  });
  return { width: WIDTH, height: HEIGHT, body: body.join("") };
}

/** From nought to at least `most`, in about five steps of 1, 2 or 5 times a power of ten. */
export function niceTicks(most: number): number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= rough)!;
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

/** Heights for labels that would lie on each other: pushed up from the bottom, then down from the top. */
export function apart(heights: readonly number[]): number[] {
  const order = heights.map((_, at) => at).toSorted((a, b) => heights[b]! - heights[a]!);
  const spots = [...heights];
  let bound = HEIGHT - BOTTOM - 8;
  for (const at of order) {
    spots[at] = Math.min(spots[at]!, bound);
    bound = spots[at] - LABEL_HEIGHT;
  }
  bound = TOP;
  for (const at of order.toReversed()) {
    spots[at] = Math.max(spots[at]!, bound);
    bound = spots[at] + LABEL_HEIGHT;
  }
  return spots;
}
