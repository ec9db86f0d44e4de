import { existsSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";

import { commentOf, uncommentedMembers } from "../src/api/declaration.js";
import { entriesOf } from "../src/api/exports.js";
import { PACKAGES } from "../src/api/pages.js";
import { codes, errorsPage, thrownCodes, thrownIn } from "../src/errors-page.js";
import { madePages } from "../src/made-pages.js";
import { ROOT } from "../src/markdown/pages.js";

const entries = entriesOf(PACKAGES);
const exported = [...entries].flatMap(([folder, of]) => {
  return of.flatMap((entry) => entry.exported.map((each) => ({ folder, ...each })));
});
const namesOf = (what: typeof exported) => what.map(({ folder, name }) => `${folder}: ${name}`);

describe("pages that are made from the code", () => {
  it.each([...madePages(entries)])("%s is up to date: else run `pnpm docs:write`", (path, text) => {
    expect(existsSync(ROOT + path) ? readFileSync(ROOT + path, "utf8") : undefined).toBe(text);
  });
});

describe("docs/api", () => {
  it("says of everything that is exported what it is", () => {
    const silent = exported.filter(({ declarations }) => commentOf(declarations[0]!).text === "");
    expect(exported.length).toBeGreaterThan(100);
    expect(namesOf(silent)).toEqual([]);
  });

  it("says of every option what it does", () => {
    const passed = exported.filter(({ name }) => /(?:Options|Params|Policy|Location|Target)$/.test(name));
    expect(passed.length).toBeGreaterThan(15);
    expect(
      passed.flatMap(({ name, declarations }) => {
        return declarations.flatMap(uncommentedMembers).map((member) => `${name}.${member}`);
      }),
    ).toEqual([]);
  });
});

describe("the README of a saver", () => {
  const interfaces = new Map(exported.map(({ name, declarations }) => [name, declarations[0]!]));
  const optionsOf = (name: string) => {
    const declaration = interfaces.get(name);
    if (declaration === undefined || !ts.isInterfaceDeclaration(declaration)) throw new Error(`no ${name}`);
    return declaration.members.map((member) => member.name!.getText());
  };

  it.each([
    ["core", ["SaverOptions", "InMemorySaverOptions", "ReplicatedSaverOptions"]],
    ["file", ["SaverOptions", "FileSaverOptions"]],
    ["mongodb", ["SaverOptions", "MongoDBOptions", "MongoDBSaverParams", "MongoDBUriOptions"]],
    ["dynamodb", ["SaverOptions", "DynamoDBSaverOptions", "S3Options"]],
  ])("%s names every option", (folder, names) => {
    const readme = readFileSync(`${ROOT}packages/${folder}/README.md`, "utf8");
    const options = names.flatMap(optionsOf);
    expect(options.filter((option) => !new RegExp(`\`(?:s3\\.)?${option}\\b`).test(readme))).toEqual([]);
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
