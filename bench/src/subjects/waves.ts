/**
 * Counts requests, and round trips: requests that could not be sent before another one was answered. Requests that are
 * under way together are one round trip, since nobody waits for them one after the other.
 */
export class Waves {
  requests = 0;
  roundTrips = 0;
  #answered = 0;

  /** A request is sent; what it returns is called at the answer. */
  sent(): () => void {
    this.requests += 1;
    const wave = this.#answered + 1;
    this.roundTrips = Math.max(this.roundTrips, wave);
    return () => {
      this.#answered = Math.max(this.#answered, wave);
    };
  }
}
