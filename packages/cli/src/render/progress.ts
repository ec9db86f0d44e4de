import { bar, BAR_WIDTH, ERASE_LINE, paints, printable, truncate } from "@langgraph-savers/command/terminal";

import { print, type Screen } from "../command/io.js";
import { formatCount, formatDuration } from "./units.js";

/** Shows how far a long command has come, how fast, and how long it will take. */
export interface Progress {
  /** `total` is undefined where nobody knows. */
  update(done: number, total: number | undefined, words?: string): void;
  end(): void;
}

const DRAW_EVERY_MS = 80;
const TELL_EVERY_MS = 5000;
/** Rates of the first moments say nothing. */
const SETTLED_MS = 1500;

/** A line that moves for a person who watches, a line now and then for a log. */
export function progress(
  screen: Screen,
  noun: string,
  now: () => number = () => performance.now(),
): Progress {
  const start = now();
  let last = -Infinity;
  const paint = paints(screen.colour);
  const tell = (done: number, total: number | undefined, text: string): void => {
    if (!screen.isTTY) {
      print(screen, text);
      return;
    }
    const drawn = total === undefined ? "" : `${bar(total === 0 ? 0 : done / total, paint)} `;
    const room = screen.columns - (total === undefined ? 0 : BAR_WIDTH + 1) - 1;
    screen.stream.write(`${ERASE_LINE}${drawn}${truncate(text, room)}`);
  };
  return {
    update(done, total, words = "") {
      const isFirst = last === -Infinity;
      const isDue = now() - last >= (screen.isTTY ? DRAW_EVERY_MS : TELL_EVERY_MS);
      const isLast = screen.isTTY && done === total;
      if (!isDue && !isLast) return;
      last = now();
      // A log need not be told that something has just begun.
      if (isFirst && !screen.isTTY) return;
      const parts = [...figures(done, total, noun, now() - start), printable(words)];
      tell(done, total, parts.filter((part) => part !== "").join(" · "));
    },
    end() {
      if (screen.isTTY) screen.stream.write(ERASE_LINE);
    },
  };
}

/** `412 of 1,000 threads`, `38/s`, `16 s left`. */
function figures(done: number, total: number | undefined, noun: string, elapsed: number): string[] {
  const count = total === undefined ? formatCount(done) : `${formatCount(done)} of ${formatCount(total)}`;
  const rate = done / (elapsed / 1000);
  if (elapsed < SETTLED_MS || rate === 0) return [`${count} ${noun}`];
  const speed = `${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s`;
  if (total === undefined || total <= done) return [`${count} ${noun}`, speed];
  return [`${count} ${noun}`, speed, `${formatDuration(((total - done) / rate) * 1000)} left`];
}
