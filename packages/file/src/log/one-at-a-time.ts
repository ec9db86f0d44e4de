/** Runs pieces of work one after the other, in the order in which they came; at once if there is none before. */
export class OneAtATime {
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const result = this.#waiting === 1 ? work() : this.#last.then(work);
    this.#last = result.then(this.#done, this.#done);
    return result;
  }

  /** Resolves when all that came before the call is done. */
  idle(): Promise<void> {
    return this.#last;
  }

  readonly #done = (): void => {
    this.#waiting -= 1;
  };
}
