// One of the processes that compete for the lease of one thread. Under the lease, each counts one further in the thread.
// By its file: the core's own tests use this package, so it cannot depend on the core.
import { isSaverError, withThreadLease } from "../../../packages/core/dist/index.mjs";
import { emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";

/** @type {import("./leases.js").LeaseJob} */
const job = JSON.parse(String(process.argv[2]));
/** @type {import("./stress.js").OpenModule} */
const { open } = await import(job.openModule);
const saver = await open(job.place);
const config = { configurable: { thread_id: "t", checkpoint_ns: "" } };
/** @type {import("./leases.js").LeaseReport} */
const report = { tokens: [], lost: 0, problems: [] };

for (let turn = 0; turn < job.turns; turn++) {
  try {
    const token = await withThreadLease(
      saver,
      "t",
      async ({ token: mine }) => {
        const before = await saver.getTuple(config);
        const count = Number(before?.checkpoint.channel_values["count"] ?? 0);
        const parent = before?.checkpoint.id;
        await saver.put(
          {
            configurable: {
              ...config.configurable,
              ...(parent === undefined ? {} : { checkpoint_id: parent }),
            },
          },
          {
            ...emptyCheckpoint(),
            id: uuid6((count + 1) % 16_384),
            channel_values: { count: count + 1 },
            channel_versions: { count: count + 1 },
          },
          { source: "loop", step: count + 1, parents: {} },
          { count: count + 1 },
        );
        return mine;
      },
      { ttlMs: job.ttlMs, waitMs: 120_000 },
    );
    report.tokens.push(token);
  } catch (error) {
    if (isSaverError(error) && error.code === "LEASE_LOST") report.lost += 1;
    else report.problems.push(error instanceof Error ? String(error.stack) : String(error));
  }
}
await saver.close();
process.stdout.write(JSON.stringify(report));
