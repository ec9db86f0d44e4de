import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";

import { barProgress, plainProgress } from "../../src/cli/progress.js";
import { result } from "../reporters/sample.js";

const ids = ["put.same-id-is-one-checkpoint", "put.keeps-the-parent"] as const;

/** A terminal of one line: what is on it after all that was written. */
class Screen extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }

  get line(): string {
    return stripVTControlCharacters(this.text.split("\r\u001b[K").at(-1) ?? "");
  }
}

describe("the progress bar", () => {
  it("shows how many are done, how many failed, and what is being tried", () => {
    const screen = new Screen();
    const progress = barProgress(screen, { columns: 100, colour: true });
    progress.start("MySaver", 2);
    expect(screen.line).toBe(`${"░".repeat(24)} 0/2     MySaver `);
    progress.trying(ids[0]);
    progress.finished(result(ids[0], { status: "failed" }));
    progress.trying(ids[1]);
    expect(screen.line).toBe(`${"█".repeat(12)}${"░".repeat(12)} 1/2     ✗ 1 MySaver ${ids[1]}`);
  });

  it("never folds, and is gone at the end", () => {
    const screen = new Screen();
    const progress = barProgress(screen, { columns: 50, colour: false });
    progress.start("A saver with a name that is longer than the screen is wide", 2);
    progress.trying(ids[0]);
    expect(screen.line).toHaveLength(49);
    progress.end();
    expect(screen.line).toBe("");
  });

  it("keeps clear of what the saver prints", () => {
    const screen = new Screen();
    const progress = barProgress(screen, { columns: 80, colour: false });
    progress.start("MySaver", 2);
    progress.saverOutput("connected");
    expect(screen.text).toContain("\r\u001b[Kconnected\n\r\u001b[K░");
  });
});

describe("the progress in a log", () => {
  it("is a line for each scenario, without a control character", () => {
    const screen = new Screen();
    const progress = plainProgress(screen, { columns: 80, colour: false });
    progress.start("MySaver", 2);
    progress.trying(ids[0]);
    progress.finished(result(ids[0]));
    progress.finished(result(ids[1], { status: "expected-failure" }));
    progress.end();
    expect(screen.text).toBe(
      `MySaver: 2 scenarios\n✓ MySaver ${ids[0]} (12 ms)\n≈ MySaver ${ids[1]} (known gap)\n`,
    );
  });
});
