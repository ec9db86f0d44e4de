/**
 * What the work comes to, or at once the signal's reason when its caller gives up. What the work is waiting for then
 * ends by itself, unheard. Only for reads: a write that LangGraph hands over belongs to the thread, however its run ends.
 */
export async function untilAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (signal === undefined) return work();
  signal.throwIfAborted();
  const { promise: aborted, reject } = withRejection();
  const giveUp = () => reject(signal.reason);
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

/** The same for every step of a list. Its consumer may take any time between two of them. */
export async function* eachUntilAborted<T>(
  signal: AbortSignal | undefined,
  items: AsyncGenerator<T>,
): AsyncGenerator<T> {
  try {
    for (;;) {
      const next = await untilAborted(signal, () => items.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited: it would wait for the step that was given up.
    void items.return(undefined).catch(() => {});
  }
}

function withRejection(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject!: (reason: unknown) => void;
  const promise = new Promise<never>((_, fail) => (reject = fail));
  return { promise, reject };
}
