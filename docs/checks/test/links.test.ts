import { describe, expect, it } from "vitest";

import { anchorsOf, brokenBecause, isExternal, linksOf } from "../src/markdown/links.js";
import { pages } from "../src/markdown/pages.js";

const all = pages(/./);
const byPath = new Map(all.map((page) => [page.path, page]));

/** The hosts that pages may lead to. A test cannot ask them; that they are few makes them easy to look at. */
const HOSTS = ["https://github.com/langchain-ai/langgraphjs"];

describe("links", () => {
  it.each(all.map((page) => [page.path, page] as const))("%s leads where it says", (_, page) => {
    const broken = linksOf(page)
      .filter((link) => !isExternal(link))
      .flatMap((link) => {
        const reason = brokenBecause(link, byPath);
        return reason === undefined ? [] : [`${link.page}:${link.line}: ${link.target}: ${reason}`];
      });
    expect(broken).toEqual([]);
  });

  it("to other hosts go to those that are known", () => {
    const unknown = all
      .flatMap(linksOf)
      .filter(isExternal)
      .map(({ target }) => target);
    expect(unknown.filter((target) => !HOSTS.some((host) => target.startsWith(host)))).toEqual([]);
  });
});

describe("the check of links", () => {
  const page = {
    path: "docs/README.md",
    text: [
      "# A `b` — c!",
      "## Twice",
      "## Twice",
      "[x](b.md#y) ![z](c.png)",
      "```",
      "[no](d.md)",
      "```",
    ].join("\n"),
  };

  it("finds links in prose, not in code", () => {
    expect(linksOf(page).map(({ line, target }) => `${line} ${target}`)).toEqual(["4 b.md#y", "4 c.png"]);
  });

  it("names headings as GitHub does", () => {
    expect([...anchorsOf(page)]).toEqual(["a-b--c", "twice", "twice-1"]);
  });

  it("says what is wrong with a link", () => {
    const because = (target: string) =>
      brokenBecause({ page: page.path, line: 1, target }, new Map([[page.path, page]]));
    expect(because("#twice-1")).toBeUndefined();
    expect(because("security.md")).toBeUndefined();
    expect(because("#thrice")).toBe("docs/README.md has no heading #thrice");
    expect(because("missing.md")).toBe("there is no docs/missing.md");
    expect(because("../../x")).toBe("leads out of the repository");
    expect(because("/README.md")).toContain("root");
  });
});
