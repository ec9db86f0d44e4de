import { load } from "@langchain/core/load";
import { Reviver, findForeign } from "./load.js";
import { KWARGS } from "./records.js";

/**
 * The way of the rare value that holds a LangChain object other than a message. `load` works from text, asynchronously,
 * and knows nothing of our records: it only gets to choose the class and to name the arguments. The arguments
 * themselves are revived here and handed over by way of its secrets, which it puts in untouched.
 */
export async function loadWithLangChain(
  root: unknown,
  segments: readonly Uint8Array[] | undefined,
): Promise<unknown> {
  const built = new Map<object, unknown>();
  for (const node of findForeign(root)) {
    const id = node["id"] as unknown[];
    assertClassPath(id);
    const kwargs = new Reviver(segments, built).revive(node["kwargs"], KWARGS);
    const text = JSON.stringify({
      lc: 1,
      type: "constructor",
      id,
      kwargs: { lc: 1, type: "secret", id: ["kwargs"] },
    });
    // Typed as strings, but never looked at.
    const secretsMap = { kwargs } as Record<string, unknown> as Record<string, string>;
    built.set(node, await load(text, { secretsMap, secretsFromEnv: false }));
  }
  return new Reviver(segments, built).revive(root);
}

/** `load` looks the name up with `[]`: "constructor" would find Object, and `load` would go on to rename it. */
function assertClassPath(id: readonly unknown[]): void {
  if (!id.every((part) => typeof part === "string" && !(part in Object.prototype))) {
    throw new Error("Malformed serialized value: a LangChain record does not name a class");
  }
}
