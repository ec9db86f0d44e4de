import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { describe, expect, it } from "vitest";

import { spawned } from "./support/built.js";
import { PACKAGE } from "./support/command.js";
import { putThread } from "./support/histories.js";
import { newStore, opened, scratch } from "./support/stores.js";

const folder = scratch();

describe("the built command", () => {
  it("reads a store by a module in TypeScript, in the project in which it runs", async () => {
    const project = join(folder, "project");
    mkdirSync(join(project, "node_modules"), { recursive: true });
    for (const scope of ["@langchain", "@langgraph-savers"])
      symlinkSync(join(PACKAGE, "node_modules", scope), join(project, "node_modules", scope));
    writeFileSync(
      join(project, "saver.ts"),
      `import { FileSaver } from "@langgraph-savers/file";
       enum Place { Here = "./checkpoints" }
       export default (): FileSaver => new FileSaver(Place.Here, { encryption: { keys: [{ id: "k", key: Buffer.alloc(32, 1) }] } });`,
    );
    const key = readFileSync(join(project, "saver.ts"), "utf8");
    expect(key).toContain("encryption");
    const from = newStore("file", folder);
    await opened(from, (_, saver) => putThread(saver, "a"));
    const copied = await spawned(["copy", from, "./saver.ts"], { folder: project }).ended;
    expect(copied).toMatchObject({ code: 0, err: "" });
    const shown = await spawned(["show", "./saver.ts", "a", "--json"], { folder: project }).ended;
    expect(JSON.parse(shown.out)).toMatchObject({ threadId: "a", state: { note: "of a" } });
    const locked = await spawned(["show", "file:./checkpoints", "a"], { folder: project }).ended;
    expect(locked).toMatchObject({ code: 2, err: expect.stringContaining("ENCRYPTION_KEY_MISSING") });
  });

  it("hands over to the conformance kit, and its exit code comes back", async () => {
    const judged = ["in-memory", "--only", "put.returns-three-keys"];
    for (const argv of [judged, ["--", ...judged]]) {
      const { code, out } = await spawned(["conformance", ...argv]).ended;
      expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("1 passed") });
    }
    const own = await spawned(["conformance", "--help"]).ended;
    expect(own.out).toContain("Usage: langgraph-savers conformance");
    const kits = await spawned(["conformance", "--", "--help"]).ended;
    expect(kits).toMatchObject({ code: 0, out: expect.stringContaining("--only") });
    expect(await spawned(["conformance", "no-such-target"]).ended).toMatchObject({ code: 2 });
  });

  it("says nothing but its own on the error stream, whatever a driver would like to add", async () => {
    const url = newStore("dynamodb", folder);
    await opened(url, (_, saver) => putThread(saver, "a"));
    const { code, err } = await spawned(["threads", url]).ended;
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });

  it("ends quietly when nobody reads on, and brings its own file saver", async () => {
    const url = newStore("file", folder);
    await opened(url, (_, saver) => putThread(saver, "a"));
    const { child, ended } = spawned(["threads", url], { folder: dirname(folder) });
    child.stdout!.destroy();
    expect(await ended).toMatchObject({ err: "" });
  });
});
