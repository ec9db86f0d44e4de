import { describe, expect, it } from "vitest";

import { InMemorySaver } from "../../src/index.js";
import { TamperingStore } from "../saver/tampering-store.js";
import { checkpoint, config, metadata } from "../support.js";

/** More than are read at once. */
const CHECKPOINTS = 20;

describe("verify", () => {
  it("names what is damaged in the order of the list, counts the rest, and tells of each thread", async () => {
    const store = new TamperingStore();
    const saver = new InMemorySaver({ store });
    const ids: string[] = [];
    for (const thread of ["a", "b"])
      for (let at = 0; at < CHECKPOINTS; at++) {
        const state = checkpoint({ at });
        if (thread === "b") ids.push(state.id);
        await saver.put(config(thread), state, metadata(at), { at: 1 });
      }
    const damaged = [ids[3]!, ids[11]!, ids[12]!];
    store.tamper = {
      checkpoint: (stored) =>
        damaged.includes(stored.checkpointId!)
          ? { ...stored, checkpoint: { ...stored.checkpoint!, body: new Uint8Array(3) } }
          : undefined,
    };
    const told: string[] = [];
    const { intact, problems } = await new InMemorySaver({ store }).verify(undefined, (id) => told.push(id));
    expect(intact).toBe(2 * CHECKPOINTS - damaged.length);
    expect(problems).toMatchObject(
      damaged.toReversed().map((checkpointId) => ({
        threadId: "b",
        checkpointNs: "",
        checkpointId,
        code: "CHECKPOINT_DAMAGED",
      })),
    );
    expect(told).toEqual(["a", "b"]);
  });
});
