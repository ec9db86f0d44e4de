/**
 * Where a value stands decides what its `lc` key means. In the fields of a LangChain object LangChain's own escapes hold
 * (`__lc_escaped__`); everywhere else, and inside every record of ours, `{ lc: 2, type: "escaped" }` does.
 */
export const PLAIN = 0;
export const KWARGS = 1;
/** The fields that a `toJSON()` of LangChain has escaped already. */
export const PRE_ESCAPED = 2;
export type Context = typeof PLAIN | typeof KWARGS | typeof PRE_ESCAPED;

export const LC_ESCAPED = "__lc_escaped__";

export function isEscapedByLangChain(object: Record<string, unknown>): boolean {
  return LC_ESCAPED in object && Object.hasOwn(object, LC_ESCAPED) && Object.keys(object).length === 1;
}

export function isUndefinedRecord(object: Record<string, unknown>): boolean {
  return Object.hasOwn(object, "lc") && object["lc"] === 2 && object["type"] === "undefined";
}
