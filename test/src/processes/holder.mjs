// A holder of the lease of one thread that is paused while it holds it, and then tries to go on.
// By its file: the core's own tests use this package, so it cannot depend on the core.
import { isSaverError, withThreadLease } from "../../../packages/core/dist/index.mjs";
import { emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";

/** @type {import("./leases.js").HolderJob} */
const job = JSON.parse(String(process.argv[2]));
/** @type {import("./stress.js").OpenModule} */
const { open } = await import(job.openModule);
const saver = await open(job.place);
const config = { configurable: { thread_id: job.threadId, checkpoint_ns: "" } };

const put = () => {
  const next = { ...emptyCheckpoint(), id: uuid6(0) };
  return saver.put(config, next, { source: "loop", step: 0, parents: {} }, {});
};

/** @param {() => Promise<unknown>} run @returns {Promise<string>} */
async function outcomeOf(run) {
  try {
    await run();
    return "stored";
  } catch (error) {
    return isSaverError(error) ? error.code : String(error);
  }
}

/** @type {import("./leases.js").HolderReport} */
const report = { put: "", writes: "", end: "" };
report.end = await outcomeOf(() =>
  withThreadLease(
    saver,
    job.threadId,
    async ({ signal }) => {
      const { configurable } = await put();
      // Before the pause can come; on its other side the last look at the clock is long ago.
      let last = performance.now();
      process.stderr.write("holding\n");
      for (let slept = 0; slept < job.ttlMs;) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        slept = performance.now() - last;
        last += slept;
      }
      report.put = await outcomeOf(put);
      report.writes = await outcomeOf(() => saver.putWrites({ configurable }, [["x", 1]], "task"));
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
    { ttlMs: job.ttlMs },
  ),
);
await saver.close();
process.stdout.write(JSON.stringify(report));
