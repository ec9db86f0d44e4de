/** Deeper than that nobody reads; cycles end there too. */
const DEEPEST = 100;

/**
 * A value as JSON for people and scripts to look at: messages by what they say, binary data by its size. It is not
 * meant to be read back; `export` is.
 */
export function plain(value: unknown, depth = 0): unknown {
  if (depth > DEEPEST) return "…";
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "bigint":
      return `${value}n`;
    case "object":
      return value === null ? null : plainObject(value, depth);
    default:
      return undefined;
  }
}

function plainObject(value: object, depth: number): unknown {
  const inner = (each: unknown) => plain(each, depth + 1);
  if (Array.isArray(value)) return value.map((each) => inner(each) ?? null);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof Map) return Array.from(value, ([key, each]) => [inner(key), inner(each)]);
  if (value instanceof Set) return Array.from(value, inner);
  if (value instanceof RegExp) return String(value);
  if (value instanceof Error) return { error: value.name, message: value.message };
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `<${value.byteLength} bytes>`;
  const message = plainMessage(value, inner);
  if (message !== undefined) return message;
  const entries = Object.entries(value).flatMap(([key, each]) => {
    const made = inner(each);
    return made === undefined ? [] : [[key, made] as const];
  });
  return Object.fromEntries(entries);
}

interface MessageLike {
  getType(): string;
  id?: unknown;
  name?: unknown;
  content: unknown;
  tool_calls?: unknown;
  tool_call_id?: unknown;
}

/** By its methods: it may come from another copy of LangChain. */
function plainMessage(value: object, inner: (each: unknown) => unknown): unknown {
  const message = value as Partial<MessageLike>;
  if (typeof message.getType !== "function" || !("content" in message)) return undefined;
  const { id, name, content, tool_calls: calls, tool_call_id: callId } = message;
  return {
    type: message.getType(),
    ...(typeof id === "string" ? { id } : {}),
    ...(typeof name === "string" ? { name } : {}),
    content: inner(content),
    ...(Array.isArray(calls) && calls.length > 0 ? { tool_calls: inner(calls) } : {}),
    ...(typeof callId === "string" ? { tool_call_id: callId } : {}),
  };
}
