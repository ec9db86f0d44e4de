// Runs a server and ends it when the process that wants it is gone, however that ended: its end of the pipe closes.
import { spawn } from "node:child_process";

const [command, ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });
server.on("error", () => process.exit(127));
server.on("exit", (code) => process.exit(code ?? 1));
const end = () => server.kill("SIGKILL");
process.stdin.on("close", end).on("error", end).resume();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
