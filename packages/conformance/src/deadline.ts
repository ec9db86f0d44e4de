/** What was asked of the saver did not come to an end. */
export class TimeLimitExceeded extends Error {
  override readonly name = "TimeLimitExceeded";
}

/** The outcome of `work`, or a failure when it takes longer than it may. What goes on after that is not waited for. */
export async function within<T>(limitMs: number, what: string, work: () => Promise<T> | T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new TimeLimitExceeded(`${what} did not end within ${limitMs / 1000} s: it hangs, or is too slow`),
      );
    }, limitMs);
  });
  try {
    return await Promise.race([work(), limit]);
  } finally {
    clearTimeout(timer);
  }
}
