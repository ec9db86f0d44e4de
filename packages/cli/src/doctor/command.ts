import { padEnd, paints, printable, wrap, type Paint } from "@langgraph-savers/command/terminal";
import { messageOf } from "@langgraph-savers/command/modules";

import { UsageError } from "../command/errors.js";
import { NEGATIVE, OK } from "../command/exit-codes.js";
import { print, printJson, type Io } from "../command/io.js";
import { JSON_OPTION, STORE, type CommandSpec } from "../command/spec.js";
import { plural } from "../render/units.js";
import { withStore } from "../stores/open.js";
import { redactUrls, redacted, secretsIn } from "../stores/redact.js";
import { parseStoreUrl } from "../stores/url.js";
import { bad, type Check } from "./check.js";
import { saverChecks } from "./saver.js";
import { versionChecks } from "./versions.js";

const GLYPHS: Record<Check["status"], string> = { ok: "✓", info: "·", warn: "!", fail: "✗" };

export const doctor: CommandSpec = {
  name: "doctor",
  summary: "Checks a store and its surroundings: connection, indexes, permissions, clock, versions.",
  args: [STORE],
  options: {
    write: { about: "Also store, read and delete a probe, in a thread of its own" },
    ...JSON_OPTION,
  },
  details: [
    "Without --write nothing is changed. Exit code 1 where something is wrong; warnings do not count.",
  ],
  examples: ["doctor file:./checkpoints", "doctor dynamodb://eu-central-1/checkpoints --write"],
  async run(call, io) {
    const url = call.arg("STORE");
    const write = call.flag("write");
    const checks: Check[] = [];
    const paint = paints(io.out.colour);
    const asJson = call.flag("json");
    const tell = (check: Check): void => {
      checks.push(check);
      if (!asJson) print(io.out, lines(check, io, paint));
    };
    const { kind } = parseStoreUrl(url);
    if (!asJson) print(io.out, paint.bold(printable(redactUrls(url))));
    for (const check of versionChecks(kind, io.folder)) tell(check);
    try {
      await withStore(url, "read", io, async (store) => {
        for await (const check of store.checks?.({ write }) ?? []) tell(check);
        for await (const check of saverChecks(store, { write })) tell(check);
      });
    } catch (error) {
      if (error instanceof UsageError) throw error;
      tell(
        bad(
          "opening",
          redacted(messageOf(error), secretsIn(url)),
          "Nothing more can be checked until it opens.",
        ),
      );
    }
    const failed = checks.filter(({ status }) => status === "fail").length;
    const warned = checks.filter(({ status }) => status === "warn").length;
    if (asJson) printJson(io, { healthy: failed === 0, checks });
    else print(io.out, `\n${verdict(failed, warned, paint)}`);
    return failed === 0 ? OK : NEGATIVE;
  },
};

const NAME_WIDTH = 20;

function lines({ name, status, finding, advice }: Check, io: Io, paint: Paint): string {
  const tones: Record<Check["status"], (text: string) => string> = {
    ok: paint.green,
    info: paint.dim,
    warn: paint.yellow,
    fail: paint.red,
  };
  const width = Math.min(io.out.columns, 120) - NAME_WIDTH - 2;
  const indent = " ".repeat(NAME_WIDTH + 2);
  const found = wrap(printable(finding), width);
  const told = advice === undefined ? [] : wrap(printable(`→ ${advice}`), width);
  return [...found, ...told]
    .map((line, at) =>
      at === 0 ? `${tones[status](GLYPHS[status])} ${padEnd(name, NAME_WIDTH)}${line}` : indent + line,
    )
    .join("\n");
}

function verdict(failed: number, warned: number, paint: Paint): string {
  const warnings = warned === 0 ? "" : `, ${plural(warned, "warning")}`;
  return failed === 0
    ? `${paint.green("✓")} All is well${warnings}.`
    : `${paint.red("✗")} ${plural(failed, "thing")} to put right${warnings}.`;
}
