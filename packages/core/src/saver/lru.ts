interface Entry<T> {
  key: string;
  value: T;
  size: number;
  older: Entry<T> | undefined;
  newer: Entry<T> | undefined;
}

/**
 * A map that forgets what was used longest ago once the sizes of its entries add up to more than `capacity`. The order of
 * use is a list of its own: a Map leaves holes where entries were, and looking for its first one passes all of them.
 */
export class LruCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #capacity: number;
  #oldest: Entry<T> | undefined;
  #newest: Entry<T> | undefined;
  #used = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#used;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry !== this.#newest) {
      this.#unlink(entry);
      this.#link(entry);
    }
    return entry.value;
  }

  set(key: string, value: T, size: number): void {
    this.delete(key);
    if (size > this.#capacity) return;
    const entry: Entry<T> = { key, value, size, older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#link(entry);
    this.#used += size;
    while (this.#used > this.#capacity) this.delete(this.#oldest!.key);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#unlink(entry);
    this.#used -= entry.size;
  }

  #link(entry: Entry<T>): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  #unlink(entry: Entry<T>): void {
    if (entry.older === undefined) this.#oldest = entry.newer;
    else entry.older.newer = entry.newer;
    if (entry.newer === undefined) this.#newest = entry.older;
    else entry.newer.older = entry.older;
  }
}
