/** Lets many wait for one sync: whoever asks is served by a sync that starts after it asked. */
export class Syncer {
  readonly #sync: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(sync: () => Promise<void>) {
    this.#sync = sync;
  }

  sync(): Promise<void> {
    if (this.#running === undefined) {
      this.#running = this.#sync().finally(() => {
        this.#running = undefined;
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
