import { digest, HOLDING_THREADS, text } from "./history.mjs";

/**
 * Takes a register over from whoever has it, and counts on in the thread while it still has it: reads the newest number
 * and puts the next one. Whoever got a put through without having the register would write over somebody else's number.
 *
 * @param {import("@langgraph-savers/core").CheckpointStore} store
 * @param {string} token
 * @param {() => number} random
 * @param {(message: import("./history.mjs").Message) => void} tell
 */
export async function hold(store, token, random, tell) {
  const threadId = /** @type {string} */ (HOLDING_THREADS[Math.floor(random() * HOLDING_THREADS.length)]);
  const before = await store.getRegister(threadId, "holder");
  tell({ kind: "taking", thread: threadId, from: before ?? "", token });
  if (!(await store.setRegister(threadId, "holder", token, before))) {
    tell({ kind: "refused", thread: threadId, token });
    return;
  }
  tell({ kind: "taken", thread: threadId, from: before ?? "", token });
  for (let count = 0; count < 5; count++) {
    const [newest] = await store.getCheckpoints([{ threadId, namespace: "" }]);
    const number = Number(newest?.checkpoint?.checkpointId ?? 0) + 1;
    const body = Buffer.from(text(random, 200));
    const result = await store.putCheckpoint(
      {
        threadId,
        namespace: "",
        checkpointId: String(number).padStart(8, "0"),
        createdAt: Date.now(),
        labels: {},
        chunks: [],
        body,
      },
      [],
      { registers: { holder: token } },
    );
    if (result.fenced === true) return;
    tell({ kind: "counted", thread: threadId, number, digest: digest(body.toString()) });
  }
}
