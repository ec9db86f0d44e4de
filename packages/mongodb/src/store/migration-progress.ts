import type { Backend } from "./backend.js";
import type { MigrationDocument } from "./documents.js";
import { MIGRATION, type MigrationId } from "./keys.js";

/** Remembers in our own collection which threads of a source are copied already. */
export class MigrationProgress {
  readonly #backend: Backend;
  readonly #id: MigrationId;

  constructor(backend: Backend, source: string) {
    this.#backend = backend;
    this.#id = { t: "", k: MIGRATION, s: source };
  }

  async load(): Promise<string | undefined> {
    const found = await this.#backend.run("the migration", () =>
      this.#backend.collection.findOne<MigrationDocument>({ _id: this.#id }),
    );
    return found?.done;
  }

  async save(threadId: string): Promise<void> {
    await this.#backend.run("the migration", () =>
      this.#backend.collection.updateOne({ _id: this.#id }, { $set: { done: threadId } }, { upsert: true }),
    );
  }
}
