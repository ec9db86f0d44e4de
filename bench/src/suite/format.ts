import type { Ratio } from "./compare.js";
import type { Unit } from "./measures.js";

/** Two digits that count where there are fewer than three before the point. */
function short(amount: number): string {
  if (amount >= 100) return Math.round(amount).toLocaleString("en-US");
  if (amount >= 10) return amount.toFixed(1).replace(/\.0$/, "");
  if (amount >= 1) return amount.toFixed(1);
  return amount.toFixed(2);
}

export function ratio(amount: number): string {
  return Number.isFinite(amount) ? `${short(amount)}×` : "∞";
}

export function spread({ low, high }: Ratio): string {
  const [from, to] = [ratio(low), ratio(high)];
  return from === to ? "" : `${from.slice(0, -1)}–${to}`;
}

export function value(amount: number, unit: Unit): string {
  switch (unit) {
    case "bytes":
      return bytes(amount);
    case "ms":
      return amount >= 1000 ? `${(amount / 1000).toFixed(2)} s` : `${short(amount)} ms`;
    case "count":
    case "units":
      return short(amount);
  }
}

function bytes(count: number): string {
  if (count < 1000) return `${Math.round(count)} B`;
  for (const [size, name] of [
    [1e9, "GB"],
    [1e6, "MB"],
  ] as const)
    if (count >= size) return `${short(count / size)} ${name}`;
  return `${short(count / 1000)} KB`;
}
