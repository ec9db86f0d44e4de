import type { Ratio } from "../../suite/compare.js";
import { ratio as ratioText } from "../../suite/format.js";
import { label, line, px } from "./markup.js";
import type { Chart } from "./palette.js";

export interface RatioBar {
  label: string;
  ratio: Ratio;
}

const WIDTH = 460;
const ROW = 22;
const LEFT = 172;
const RIGHT = 58;
const TOP = 62;
const TICKS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** How many times better than the peer, on a scale where twice and half are the same length; left of the line is worse. */
export function ratioChart(title: string, subtitle: string, bars: readonly RatioBar[]): Chart {
  const height = TOP + bars.length * ROW + 16;
  const known = bars
    .flatMap(({ ratio: { median, low, high } }) => [median, low, high])
    .filter(Number.isFinite);
  const least = TICKS.findLast((tick) => tick <= Math.min(0.5, ...known)) ?? TICKS[0]!;
  const most = TICKS.find((tick) => tick >= Math.max(2, ...known)) ?? TICKS.at(-1)!;
  const x = (ratio: number) => {
    const within = Math.min(Math.max(ratio, least), most);
    return LEFT + (Math.log(within / least) / Math.log(most / least)) * (WIDTH - LEFT - RIGHT);
  };
  const body = [label(14, 24, title, "title"), label(14, 42, subtitle, "muted")];
  const shown = TICKS.filter((tick) => tick >= least && tick <= most);
  const everySecond = shown.length > 7 ? shown.filter((tick) => /^0?\.?10*$/.test(String(tick))) : shown;
  for (const tick of everySecond) {
    body.push(line(x(tick), TOP - 2, x(tick), height - 14, tick === 1 ? "axis" : "grid"));
    body.push(label(x(tick), TOP - 7, `${tick}×`, "muted", "middle"));
  }
  bars.forEach(({ label: name, ratio }, at) => {
    const y = TOP + at * ROW + 4;
    const [from, to] = [x(1), x(ratio.median)].toSorted((a, b) => a - b) as [number, number];
    const role = ratio.median < 1 ? "peer" : "ours";
    body.push(label(LEFT - 10, y + 11, name, "", "end"));
    body.push(
      `<rect x="${px(from)}" y="${px(y)}" width="${px(Math.max(to - from, 1))}" height="14" rx="2" class="${role}"/>`,
    );
    if (ratio.high > ratio.low) body.push(line(x(ratio.low), y + 7, x(ratio.high), y + 7, "whisker"));
    const end = Math.max(x(ratio.high), to, x(1));
    body.push(label(end + 6, y + 11, ratioText(ratio.median), "strong"));
  });
  return { width: WIDTH, height, body: body.join("") };
}
