/** The middle value; the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Between neighbours it interpolates, as most tools do. NaN of nothing. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)]!;
  const high = sorted[Math.ceil(at)]!;
  return low === high ? low : low + (high - low) * (at - Math.floor(at));
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Four digits that count: more would only show how noisy the machine was. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/** At most `count` points: each the median of as many neighbours as it takes, at the last of them. */
export function thinned(points: readonly [number, number][], count: number): [number, number][] {
  const width = Math.ceil(points.length / count);
  if (width <= 1) return [...points];
  const thin: [number, number][] = [];
  for (let at = 0; at < points.length; at += width) {
    const few = points.slice(at, at + width);
    thin.push([few.at(-1)![0], median(few.map(([, value]) => value))]);
  }
  return thin;
}
