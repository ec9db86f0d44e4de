import fc from "fast-check";

/**
 * A value by its recipe. The recipe is what fast-check shrinks and prints; `build` makes a new value each time, so that
 * the model and the saver never hold the same object.
 */
export type Recipe =
  | { kind: "scalar"; of: "null" | "undefined" | "true" | "NaN" | "-0" | "bigint" | "empty" }
  | { kind: "number"; of: number }
  | { kind: "small"; mark: number }
  | { kind: "date" | "map"; mark: number }
  /** Text of about `length`, most of it the same in every recipe, changed at `edit`. */
  | { kind: "text" | "bytes"; length: number; edit: number }
  /** `count` rows, of which row `edit` differs: what a list of messages looks like from turn to turn. */
  | { kind: "rows"; count: number; edit: number };

const base = noise(70_000, 7);
const scalars = {
  null: null,
  undefined: undefined,
  true: true,
  NaN: NaN,
  "-0": -0,
  bigint: 12345678901234567890n,
  empty: "",
};

export function build(recipe: Recipe): unknown {
  switch (recipe.kind) {
    case "scalar":
      return scalars[recipe.of];
    case "number":
      return recipe.of;
    case "small":
      return { mark: recipe.mark, list: [recipe.mark, null, "x"], nested: { deep: [{}] } };
    case "date":
      return [new Date(recipe.mark)];
    case "map":
      return new Map<string, unknown>([
        ["mark", recipe.mark],
        ["set", new Set([recipe.mark])],
      ]);
    case "text":
      return editedText(recipe);
    case "bytes":
      return new TextEncoder().encode(editedText(recipe));
    case "rows":
      return Array.from({ length: recipe.count }, (_, at) => ({
        at,
        text: at === recipe.edit ? "edited" : base.slice(at * 50, at * 50 + 120),
      }));
  }
}

function editedText({ length, edit }: { length: number; edit: number }): string {
  return edit < 0 ? base.slice(0, length) : `${base.slice(0, edit)}<edited>${base.slice(edit, length)}`;
}

const edit = fc.constantFrom(-1, 0, 500, 9_000, 25_000);
/** Inline, just past what is stored inline, several chunks, many chunks. */
const length = fc.constantFrom(10, 1000, 1024, 1100, 4096, 5000, 22_000, 65_536);

export const recipes: fc.Arbitrary<Recipe> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("small" as const), mark: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("number" as const), of: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("scalar" as const),
      of: fc.constantFrom("null", "undefined", "true", "NaN", "-0", "bigint", "empty"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("date", "map"), mark: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("text", "bytes"), length, edit }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("rows" as const),
      count: fc.constantFrom(1, 20, 300),
      edit: fc.constantFrom(-1, 0, 10, 299),
    }),
  },
);

/** Changes what was passed, as a running graph does to its state once the call has been made. */
export function scribble(value: unknown): void {
  if (value instanceof Uint8Array) value.fill(0);
  else if (value instanceof Map) value.clear();
  else if (Array.isArray(value)) value.length = 0;
  else if (typeof value === "object" && value !== null)
    for (const key of Object.keys(value)) Reflect.deleteProperty(value, key);
}

export function show(recipe: Recipe): string {
  const { kind, ...rest } = recipe;
  return `${kind}(${Object.values(rest).join(",")})`;
}

/** Text that does not compress away and is the same in every run. */
function noise(count: number, seed: number): string {
  const letters: string[] = [];
  let state = seed >>> 0 || 1;
  for (let at = 0; at < count; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    letters.push(String.fromCharCode(33 + ((state >>> 0) % 90)));
  }
  return letters.join("");
}
