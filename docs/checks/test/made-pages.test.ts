import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { codes, errorsPage, thrownCodes, thrownIn } from "../src/errors-page.js";
import { madePages } from "../src/made-pages.js";
import { ROOT } from "../src/markdown/pages.js";

describe("pages that are made from the code", () => {
  const made = madePages();

  it.each([...made])("%s is up to date: else run `pnpm docs:write`", (path, text) => {
    expect(existsSync(ROOT + path) ? readFileSync(ROOT + path, "utf8") : undefined).toBe(text);
  });
});

describe("docs/errors.md", () => {
  it("has every code that is thrown", () => {
    const page = errorsPage();
    expect(thrownCodes().filter((code) => !page.includes(`# \`${code}\`\n`))).toEqual([]);
    expect(thrownCodes().length).toBeGreaterThan(20);
  });

  it.each(codes())("%s is thrown somewhere", (code) => {
    expect(thrownIn(code)).not.toEqual([]);
  });
});
