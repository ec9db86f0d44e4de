#!/usr/bin/env node
import { runCommand } from "./command.js";

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => process.exit(signal === "SIGINT" ? 130 : 143));

process.exitCode = await runCommand(process.argv.slice(2));
