import { existsSync } from "node:fs";
import { join } from "node:path";

import { displayWidth } from "@langgraph-savers/command/terminal";
import { describe, expect, it } from "vitest";

import { commands } from "../src/commands/index.js";
import { langgraphSavers } from "./support/command.js";
import { putThread } from "./support/histories.js";
import { newStore, opened, scratch } from "./support/stores.js";

const folder = scratch();

describe("help", () => {
  it.each([[["--help"]], ...Object.keys(commands).map((name) => [[name, "--help"]])])(
    "%j fits 80 columns and names the exit codes",
    async (argv) => {
      const { code, out } = await langgraphSavers(argv);
      expect(code).toBe(0);
      expect(out).toContain("Exit code: 0");
      expect(Math.max(...out.split("\n").map(displayWidth))).toBeLessThanOrEqual(80);
    },
  );

  it("names every command and every kind of store", async () => {
    const { out } = await langgraphSavers(["help"]);
    for (const word of [
      ...Object.keys(commands),
      "file:",
      "mongodb://",
      "dynamodb://",
      "official-sqlite:",
      "./saver.ts",
    ])
      expect(out).toContain(word);
  });

  it("of a command is also had by its name behind help", async () => {
    const { out } = await langgraphSavers(["help", "copy"]);
    expect(out).toEqual((await langgraphSavers(["copy", "--help"])).out);
  });

  it("tells the version", async () => {
    expect((await langgraphSavers(["--version"])).out).toMatch(/^\d+\.\d+\.\d+/);
  });
});

describe("what cannot be meant", () => {
  it.each([
    [[], "Name a command"],
    [["thread"], 'There is no command "thread"'],
    [["threads"], "threads needs STORE"],
    [["show", "file:./x"], "show needs THREAD"],
    [["threads", "file:./x", "and", "more"], "takes at most 1 argument, and was given 3"],
    [["threads", "file:./x", "--nonsense"], "--nonsense"],
    [["threads", "file:./x", "--sort", "colour"], "--sort takes one of: updated, created, id"],
    [["threads", "file:./x", "--since", "yesterday"], "90s, 15m, 12h or 30d"],
    [["threads", "file:./x", "--limit", "-1"], "--limit"],
    [["threads", "file:./x", "--limit", "some"], "a whole number, 0 or more"],
    [["threads", "redis://localhost"], 'no store of the kind "redis:"'],
    [["threads", "file:"], "file:./checkpoints"],
    [["threads", "mongodb://localhost"], "Name the database"],
    [["threads", "dynamodb:table"], "dynamodb://region/table"],
    [["threads", "official-sqlite:"], "official-sqlite:./checkpoints.db"],
    [["copy", "file:./x", "file:./x"], "are the same store"],
  ])("%j is exit code 2, and says %j", async (argv, words) => {
    const { code, out, err } = await langgraphSavers(argv, { folder });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(words);
    expect(err).toContain("--help.");
  });
});

describe("a complaint", () => {
  const nonsense = ["redis://somewhere"];

  it.each([[["thread"]], [["threads", ...nonsense]], [["prune", "file:./nowhere", "--keep-last", "x"]]])(
    "of %j cuts no word at the edge of a screen, and is one line elsewhere",
    async (argv) => {
      const onScreen = await langgraphSavers(argv, { tty: true, columns: 60 });
      expect(Math.max(...onScreen.err.split("\n").map(displayWidth))).toBeLessThanOrEqual(60);
      const [first = ""] = (await langgraphSavers(argv, { columns: 60 })).err.split("\n");
      const words = (text: string) => text.split(/\s+/);
      expect(words(onScreen.err).slice(0, words(first).length)).toEqual(words(first));
    },
  );

  it("leads to the help that there is", async () => {
    expect((await langgraphSavers(["threadz"])).err).toContain("See langgraph-savers --help.");
    expect((await langgraphSavers(["threads"])).err).toContain("See langgraph-savers threads --help.");
  });
});

describe("a store that is only looked at", () => {
  it.each(["threads", "verify", "doctor"])("is not created by %s", async (command) => {
    const path = join(folder, "typo");
    const { code, out, err } = await langgraphSavers([command, `file:${path}`]);
    expect(code).not.toBe(0);
    expect(out + err).toContain(`There is no store in ${path}`);
    expect(existsSync(path)).toBe(false);
  });

  it.each(["mongodb", "official-mongodb", "dynamodb", "official-sqlite"] as const)(
    "of %s is not created either",
    async (kind) => {
      const url = newStore(kind, folder);
      for (let time = 0; time < 2; time++) {
        const { code, err } = await langgraphSavers(["threads", url]);
        expect({ code, err }).toEqual({
          code: 2,
          err: expect.stringMatching(/There is no (collection|table|file)/),
        });
      }
    },
  );

  it("a directory or file that is none is named as such", async () => {
    expect((await langgraphSavers(["threads", "."], { folder })).err).toContain("is a directory");
    expect((await langgraphSavers(["threads", "./none.ts"], { folder })).err).toContain(
      "There is no file ./none.ts",
    );
  });
});

describe("secrets", () => {
  const secret = "s3cr3t/word";
  const url = `mongodb://ada:${encodeURIComponent(secret)}@127.0.0.1:1/app?serverSelectionTimeoutMS=50`;

  it.each([
    [["threads", url]],
    [["doctor", url]],
    [["copy", url, url]],
    [["threads", url.replace("mongodb://", "redis://")]],
    [["threads", "x", url, url]],
    [["nonsense", url]],
    [["threads", "--nonsense", url]],
    [["threads", `${url}&unknownOption=${secret}`]],
  ])("of %j are never echoed", async (argv) => {
    const { code, out, err } = await langgraphSavers(argv, { env: { DEBUG: "1" } });
    expect(code).not.toBe(0);
    expect(out + err).not.toBe("");
    for (const word of [secret, encodeURIComponent(secret)]) expect(out + err).not.toContain(word);
  });
});

describe("packages", () => {
  it("that a store needs and that are missing are named, with how to install them", async () => {
    const { code, err } = await langgraphSavers(["threads", "mongodb://127.0.0.1:1/app"], { folder });
    const missing = /^✗ The package (\S+) is not installed. Install it: npm install (\S+)$/m.exec(err);
    expect({ code, package: missing?.[1] }).toEqual({ code: 2, package: missing?.[2] });
    expect(missing?.[1]).toMatch(/mongodb$/);
  });
});

describe("what the terminal is sent", () => {
  const hostile = "evil\u001b]0;title\u0007\u001b[2Jthread";

  it("holds no escape sequence of a thread's id, and no colour where none is wanted", async () => {
    const url = newStore("file", folder);
    await opened(url, (_, saver) => putThread(saver, hostile));
    for (const argv of [
      ["threads", url],
      ["show", url, hostile],
      ["history", url, hostile],
      ["verify", url],
      ["diff", url, hostile, hostile],
      ["stats", url],
    ]) {
      const { code, out, err } = await langgraphSavers(argv);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      for (const control of ["\u001b", "\u0007"]) expect(out).not.toContain(control);
    }
    const { out } = await langgraphSavers(["threads", url], { colour: true });
    const [, ...colours] = out.split("\u001b");
    expect(colours.length).toBeGreaterThan(0);
    for (const colour of colours) expect(colour).toMatch(/^\[[\d;]+m/);
  });
});
