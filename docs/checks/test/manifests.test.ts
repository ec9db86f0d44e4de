import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { publishable } from "../src/manifests.js";
import { ROOT } from "../src/markdown/pages.js";

const all = publishable();
const byName = all.map((each) => [each.name, each] as const);

describe("manifests of the packages that are published", () => {
  it("are those of the pack", () => {
    expect(all.map(({ name }) => name)).toEqual(
      ["cli", "conformance", "core", "dynamodb", "file", "mongodb"].map(
        (name) => `@langgraph-savers/${name}`,
      ),
    );
  });

  it.each(byName)("%s agrees with the others", (_, { manifest, folder }) => {
    expect(manifest).toMatchObject({
      license: "MIT",
      type: "module",
      publishConfig: { access: "public" },
      engines: { node: ">=20.19" },
      files: expect.arrayContaining(["dist", "README.md", "CHANGELOG.md", "LICENSE"]),
      keywords: expect.arrayContaining(["langgraph", "langchain", "checkpoint"]),
      description: expect.stringMatching(/^[A-Z].*[^.]$/),
    });
    expect(manifest["keywords"]).toEqual([...(manifest["keywords"] as string[])].toSorted());
    expect(readFileSync(`${folder}/LICENSE`, "utf8")).toBe(readFileSync(`${ROOT}LICENSE`, "utf8"));
    expect(existsSync(`${folder}/README.md`)).toBe(true);
  });

  it("ask for the same versions of what they share", () => {
    const asked = new Map<string, Set<string>>();
    for (const { manifest } of all) {
      for (const [name, range] of Object.entries({
        ...(manifest["peerDependencies"] as object),
        ...(manifest["dependencies"] as object),
      }))
        asked.set(name, (asked.get(name) ?? new Set()).add(range as string));
    }
    expect([...asked].filter(([, ranges]) => ranges.size > 1)).toEqual([]);
  });

  it("name no repository in the tree: which it is, the release knows", () => {
    expect(
      all.filter(({ manifest }) => ["repository", "homepage", "bugs"].some((field) => field in manifest)),
    ).toEqual([]);
  });
});

describe("a release from a workflow", () => {
  let copy: string;

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), "savers-release-"));
    for (const { folder } of all) {
      mkdirSync(join(copy, "packages", basename(folder)), { recursive: true });
      cpSync(`${folder}/package.json`, join(copy, "packages", basename(folder), "package.json"));
    }
  });

  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it.each(byName)("says where %s comes from, and changes nothing else", (_, { folder, manifest }) => {
    const env = { ...process.env, GITHUB_SERVER_URL: "https://host", GITHUB_REPOSITORY: "owner/name" };
    const { status } = spawnSync("node", [`${ROOT}scripts/name-repository.mjs`, copy], { env });
    expect(status).toBe(0);
    const path = `packages/${basename(folder)}`;
    expect(JSON.parse(readFileSync(join(copy, path, "package.json"), "utf8"))).toEqual({
      ...manifest,
      repository: { type: "git", url: "git+https://host/owner/name.git", directory: path },
    });
  });
});
