/** A disk that answers sooner than this is asked where a call waits for nothing else: the thread pool takes longer. */
const QUICK_MS = 0.5;

/** Lets many wait for one sync: whoever asks is served by a sync that starts after it asked. */
export class Syncer {
  readonly #sync: (here: boolean) => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** Whether the last sync was. */
  #quick = false;

  /** `sync` is told whether to do it here, holding up all else, or in the thread pool. */
  constructor(sync: (here: boolean) => Promise<void>) {
    this.#sync = sync;
  }

  /** `alone`: nothing else is under way that would be held up, or that this sync could serve. */
  sync(alone = false): Promise<void> {
    if (this.#running === undefined) {
      const start = performance.now();
      this.#running = this.#sync(alone && this.#quick).finally(() => {
        this.#running = undefined;
        this.#quick = performance.now() - start < QUICK_MS;
      });
      return this.#running;
    }
    this.#next ??= this.#running.then(
      () => this.#advance(),
      () => this.#advance(),
    );
    return this.#next;
  }

  #advance(): Promise<void> {
    this.#next = undefined;
    return this.sync();
  }
}
