import { InMemorySaver, MemoryStore, type CheckpointRecord } from "../../src/index.js";
import { checkpoint, config } from "../support.js";

class Recording extends MemoryStore {
  readonly records: CheckpointRecord[] = [];

  override async putCheckpoint(...args: Parameters<MemoryStore["putCheckpoint"]>) {
    this.records.push(args[0]);
    return super.putCheckpoint(...args);
  }
}

describe("labels that a backend may index", () => {
  it("leave out what has no UTF-8, which the metadata keeps", async () => {
    const store = new Recording();
    const saver = new InMemorySaver({ store });
    const metadata = { source: "loop\ud800", step: 3, parents: {} } as never;
    const run = { ...config("t"), metadata: { run_id: "run\udfff" } };
    await saver.put(run, checkpoint({ value: 1 }), metadata, { value: 1 });
    expect(store.records.map(({ labels }) => labels)).toEqual([{ step: 3 }]);
    expect((await saver.getTuple(config("t")))?.metadata).toMatchObject({
      source: "loop\ud800",
      step: 3,
      run_id: "run\udfff",
    });
  });
});
