import { spawn } from "node:child_process";
import { startServers } from "./src/suite/servers.js";
const s = await startServers(["mongodb"], []);
const c = spawn(process.execPath, ["../packages/conformance/dist/cli.mjs", ...process.argv.slice(2)], {
  env: { ...process.env, MONGODB_URI: s.mongodbUri },
  stdio: "inherit",
});
await new Promise((r) => c.on("close", r));
await s.stop();
