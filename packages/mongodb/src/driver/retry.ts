import { setTimeout as sleep } from "node:timers/promises";

import { isTransient, toSaverError } from "./failure.js";

const FIRST_WAIT_MS = 25;
const LONGEST_WAIT_MS = 1000;

/**
 * Repeats an operation while it fails for reasons that go away, for at most `timeoutMs`: LangGraph turns a rejected
 * put into an unhandled rejection, so that a restart of the server would end the process.
 */
export async function withRetry<T>(
  operation: string,
  timeoutMs: number,
  attempt: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await attempt();
    } catch (error) {
      // Jitter: the savers that lost one server must not all come back to the next at the same moment.
      const pause = wait * (0.5 + Math.random());
      if (!isTransient(error) || performance.now() + pause > deadline) throw toSaverError(operation, error);
      await sleep(pause);
    }
  }
}
