import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

import { styleOf } from "@langgraph-savers/command/terminal";

import { badge } from "../reporters/badge.js";
import { reporters } from "../reporters/index.js";
import type { ReportInput, ReportStyle } from "../reporters/reporter.js";
import type { RunOptions } from "./options.js";

const IN_A_FILE: ReportStyle = { columns: 100, colour: false };

/** Sends each report where it was asked to go. */
export async function writeReports(
  input: ReportInput,
  { reporters: requests, badge: badgeFile }: Pick<RunOptions, "reporters" | "badge">,
): Promise<void> {
  const printsData = requests.some(({ name, file }) => file === undefined && name !== "terminal");
  for (const { name, file } of requests) {
    if (file !== undefined) {
      await save(file, reporters[name](input, IN_A_FILE));
      continue;
    }
    // Beside a report that a program reads from the standard output, words for people go to the other stream.
    const stream = name === "terminal" && printsData ? process.stderr : process.stdout;
    stream.write(reporters[name](input, styleOf(stream, process.env)));
  }
  if (badgeFile !== undefined) await save(badgeFile, badge(input, IN_A_FILE));
}

async function save(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
