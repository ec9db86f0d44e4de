export type Outcome<T> = { ok: true; value: T } | { ok: false; error: unknown };

/** What became of a call, as a value: for calls that run beside each other. */
export async function outcomeOf<T>(running: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await running };
  } catch (error) {
    return { ok: false, error };
  }
}
