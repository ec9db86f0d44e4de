/** Runs the candidates in turn, round after round, so that noise of the machine falls on all alike; medians in ms. */
export async function sideBySide<Name extends string>(
  candidates: Record<Name, () => unknown>,
  rounds: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(candidates) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  const warmUp = Math.ceil(rounds / 5);
  for (let round = -warmUp; round < rounds; round++) {
    for (const name of names) {
      const start = performance.now();
      await candidates[name]();
      if (round >= 0) times[name].push(performance.now() - start);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<Name, number>;
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
