/** A map that forgets what was used longest ago once the sizes of its entries add up to more than `capacity`. */
export class LruCache<T> {
  readonly #entries = new Map<string, { value: T; size: number }>();
  readonly #capacity: number;
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
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T, size: number): void {
    this.delete(key);
    if (size > this.#capacity) return;
    this.#entries.set(key, { value, size });
    this.#used += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#used <= this.#capacity) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#used -= entry.size;
    this.#entries.delete(key);
  }
}
