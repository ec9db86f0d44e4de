import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { catalogueMarkdown } from "../scripts/catalogue-markdown.js";
import { pythonSpecification } from "../scripts/python-specification.js";
import { operations } from "../src/capabilities.js";
import { groups, scenarios } from "../src/index.js";
import { catches, defects } from "./defects/index.js";

/** In one line: where a figure stands is the formatter's matter. */
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8").replaceAll(/\s+/g, " ");
const ids = new Set(scenarios.map(({ id }) => id));

describe("the catalogue", () => {
  it("has no id twice", () => {
    expect(ids.size).toBe(scenarios.length);
  });

  it("names every scenario by its group, in words that make an id", () => {
    for (const { id, group } of scenarios) expect(id).toMatch(new RegExp(`^${group}\\.[a-z0-9-]+$`));
  });

  it("says of every scenario which rule it checks and why", () => {
    for (const { id, rule, why } of scenarios) {
      expect(rule, id).toMatch(/^\S.*\.$/);
      expect(why, id).toMatch(/^\S.*\.$/);
      expect(rule, id).not.toBe(why);
    }
  });

  it("has a level for every group, and a scenario in every group", () => {
    expect(new Set(groups.map(({ name }) => name))).toEqual(new Set(scenarios.map(({ group }) => group)));
    expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length);
  });

  it("asks for a capability wherever a group is about one", () => {
    const needed = {
      serde: "serde",
      reopen: "reopen",
      deltaHistory: "deltaHistory",
      faults: "faults",
      // `fork` by itself is about branches of a thread.
      ...Object.fromEntries(operations.map((name) => [name === "fork" ? "forkThread" : name, name])),
    };
    for (const [group, capability] of Object.entries(needed)) {
      for (const { id, needs } of scenarios.filter((each) => each.group === group)) {
        expect(needs, id).toContain(capability);
      }
    }
  });

  it("is as large as the README says", () => {
    const unasked = new Set(groups.filter(({ level }) => level === "none").map(({ name }) => name));
    const onThreads = scenarios.filter(({ group }) => unasked.has(group)).length;
    expect(readme).toContain(`tries ${scenarios.length} scenarios`);
    expect(readme).toContain(`each of the ${scenarios.length} scenarios`);
    expect(readme).toContain(`${onThreads} of them are about managing threads`);
  });

  it("has the rules of Python's specification", () => {
    const named = Object.values(pythonSpecification).flatMap((tests) =>
      Object.values(tests).filter((here) => typeof here !== "string"),
    );
    expect(named.flat().filter((id) => !ids.has(id))).toEqual([]);
    expect(named.filter((here) => here.length === 0)).toEqual([]);
  });

  it("is what SCENARIOS.md lists: run `pnpm scenarios` after a change", () => {
    const written = readFileSync(new URL("../SCENARIOS.md", import.meta.url), "utf8");
    expect(written).toBe(catalogueMarkdown());
  });
});

describe("MATRIX.md", () => {
  it("is of this catalogue: make it again with `pnpm matrix` after a change", () => {
    const written = readFileSync(new URL("../MATRIX.md", import.meta.url), "utf8");
    // In tables, in the line of what all pass, and at the head of an explanation.
    const told = new Set(Array.from(written.matchAll(/`(\w+\.[a-z0-9-]+)`/g), ([, id]) => id));
    expect([...ids].filter((id) => !told.has(id))).toEqual([]);
    for (const saver of ["Memory", "Sqlite", "InMemory", "File", "MongoDB", "DynamoDB"])
      expect(written).toContain(`**${saver}Saver`);
  });
});

describe("the wrong savers", () => {
  it("are caught by scenarios that exist", () => {
    expect(catches.filter(({ caughtBy }) => !ids.has(caughtBy)).map(({ name }) => name)).toEqual([]);
  });

  it("have each a story of their own", () => {
    const told = defects.map(({ caughtBy, name }) => `${caughtBy}: ${name}`);
    expect(new Set(told).size).toBe(defects.length);
    for (const { name, story } of defects) expect(story, name).toMatch(/\S.*[.…]$/);
  });

  it("are as many as the README says: one that goes missing is missed", () => {
    expect(readme).toContain(`by ${defects.length} savers that are wrong`);
  });

  it("leave no scenario unproven", () => {
    const proven = new Set(catches.map(({ caughtBy }) => caughtBy));
    expect([...ids].filter((id) => !proven.has(id))).toEqual([]);
  });
});
