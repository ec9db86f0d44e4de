import { processIo } from "./command/process-io.js";
import { run } from "./run.js";

const code = await run(process.argv.slice(2), processIo());
process.exitCode = code;
await new Promise((resolve) => {
  process.stdout.write("", resolve);
});
// A saver of the user's may have left something open that nobody can close.
setTimeout(() => process.exit(code), 500).unref();
