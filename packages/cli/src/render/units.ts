const KILO = 1000;
const BYTE_UNITS = ["B", "KB", "MB", "GB", "TB"];
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `12.3 KB`: three figures at most. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= KILO && unit < BYTE_UNITS.length - 1) {
    value /= KILO;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${BYTE_UNITS[unit]}`;
}

/** `12,345`. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** `1 thread`, `2 threads`. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (seconds < 10) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** How long ago, while that says more than the date. */
export function formatAge(then: Date, now: Date): string {
  const age = now.getTime() - then.getTime();
  if (Number.isNaN(age)) return "";
  if (age < -MINUTE || age >= 30 * DAY) return then.toISOString().slice(0, 10);
  if (age < MINUTE) return "just now";
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h ago`;
  const days = Math.floor(age / DAY);
  return `${days} day${days === 1 ? "" : "s"} ago`;
}

/** `2026-10-05 14:03:20`, in UTC: the same for everybody who looks. */
export function formatTime(time: Date): string {
  return Number.isNaN(time.getTime()) ? "" : time.toISOString().slice(0, 19).replace("T", " ");
}

/** `90s`, `15m`, `12h`, `30d`, `2w` in milliseconds. */
export function parseDuration(text: string): number | undefined {
  const [, figure, unit = ""] = /^(\d+(?:\.\d+)?)(s|m|min|h|d|w)$/.exec(text.trim()) ?? [];
  const units: Record<string, number> = {
    s: 1000,
    m: MINUTE,
    min: MINUTE,
    h: HOUR,
    d: DAY,
    w: 7 * DAY,
  };
  const scale = units[unit];
  return figure === undefined || scale === undefined ? undefined : Number(figure) * scale;
}
