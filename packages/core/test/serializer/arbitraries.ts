import fc from "fast-check";
import {
  AIMessage,
  AIMessageChunk,
  ChatMessage,
  ChatMessageChunk,
  FunctionMessage,
  FunctionMessageChunk,
  HumanMessage,
  HumanMessageChunk,
  RemoveMessage,
  SystemMessage,
  SystemMessageChunk,
  ToolMessage,
  type BaseMessage,
} from "@langchain/core/messages";

const hostile = fc.constantFrom(
  "constructor",
  "toString",
  "lc",
  "type",
  "id",
  "kwargs",
  "__lc_escaped__",
  "",
);

/** JSON as JSON.parse gives it (no -0), with the keys that serializers trip over. LangChain itself loses `__proto__`. */
const tameJson = jsonWith(
  fc.oneof(
    hostile,
    fc.string({ maxLength: 6 }).filter((key) => key !== "__proto__"),
  ),
);
export const json = jsonWith(fc.oneof(hostile, fc.constant("__proto__"), fc.string({ maxLength: 6 })));

function jsonWith(keys: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 1.5, "", "constructor", "undefined"),
      fc.string({ unit: "binary" }),
      fc.integer(),
      fc.array(tie("value"), { maxLength: 4 }),
      fields(keys, tie("value")),
    ),
  })).value;
}

function fields(
  keys: fc.Arbitrary<string>,
  value: fc.Arbitrary<unknown>,
): fc.Arbitrary<Record<string, unknown>> {
  return fc.array(fc.tuple(keys, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
}

/** Everything the serializer promises to keep, each in any other. */
export const storable: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    json,
    fc.constantFrom<unknown>(undefined, NaN, Infinity, -Infinity, -0, 2n ** 70n, -5n, /a+/giu),
    fc.double(),
    fc.bigInt(),
    fc.date({ noInvalidDate: false }),
    fc.oneof(
      fc.int8Array(),
      fc.uint8Array(),
      fc.uint8ClampedArray(),
      fc.int16Array(),
      fc.uint16Array(),
      fc.int32Array(),
      fc.uint32Array(),
      fc.float32Array(),
      fc.float64Array(),
      fc.bigInt64Array(),
      fc.bigUint64Array(),
    ),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    fc.uint8Array().map((bytes) => bytes.slice().buffer),
    fc.uint8Array().map((bytes) => new DataView(bytes.slice().buffer)),
    fc.array(tie("value"), { maxLength: 4 }),
    fields(fc.oneof(hostile, fc.constant("__proto__"), fc.string()), tie("value")),
    fc.array(fc.tuple(tie("value"), tie("value")), { maxLength: 3 }).map((entries) => new Map(entries)),
    fc.array(tie("value"), { maxLength: 3 }).map((items) => new Set(items)),
  ),
})).value;

const text = fc.string({ maxLength: 8 });
const maybe = <T>(arb: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arb, { nil: undefined });
const bag = fc.oneof(fc.constant({}), fields(fc.oneof(hostile, fc.constant("a")), tameJson));
const toolCall = fc.record({ name: text, args: bag, id: text, type: fc.constant("tool_call" as const) });
const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text }),
  fc.record({ type: fc.constant("image_url"), image_url: fc.record({ url: text }) }),
  fc.record({ type: fc.constant("tool_call"), name: text, args: bag, id: text }),
  fc.record({ type: fc.constant("reasoning"), reasoning: text }),
);
const content = fc.oneof(text, fc.array(block, { maxLength: 3 }));
const usage = fc.record({ input_tokens: fc.nat(), output_tokens: fc.nat(), total_tokens: fc.nat() });
const rawToolCall = fc.record({
  id: text,
  type: fc.constant("function"),
  function: fc.record({ name: text, arguments: fc.constantFrom("{}", '{"a":1}', "{broken") }),
});

const common = {
  content,
  id: maybe(text),
  name: maybe(text),
  additional_kwargs: maybe(fc.oneof(bag, fc.record({ tool_calls: fc.array(rawToolCall, { maxLength: 2 }) }))),
  response_metadata: maybe(
    fc.oneof(
      fc.record({ model_provider: fc.constantFrom("openai", "anthropic", "none") }),
      fc.record({ output_version: fc.constantFrom("v0", "v1") }),
      bag,
    ),
  ),
  tool_calls: maybe(fc.array(toolCall, { maxLength: 2 })),
  invalid_tool_calls: maybe(fc.array(fc.record({ name: text, args: text, error: text }), { maxLength: 1 })),
  usage_metadata: maybe(usage),
  tool_call_chunks: maybe(
    fc.array(
      fc.record({ name: text, args: fc.constantFrom("{}", '{"a":', "1}"), id: text, index: fc.nat(2) }),
      { maxLength: 3 },
    ),
  ),
  tool_call_id: text,
  artifact: maybe(tameJson),
  status: maybe(fc.constantFrom("success", "error")),
  metadata: maybe(bag),
  role: text,
  // Names no class knows: extra fields go through the mapping of names.
  extraField: maybe(tameJson),
  snake_field: maybe(tameJson),
};

type Ctor = new (fields: never) => BaseMessage;
const classes = [
  HumanMessage,
  HumanMessageChunk,
  AIMessage,
  AIMessageChunk,
  SystemMessage,
  SystemMessageChunk,
  ToolMessage,
  FunctionMessage,
  FunctionMessageChunk,
  ChatMessage,
  ChatMessageChunk,
  RemoveMessage,
] as unknown as Ctor[];

/**
 * Messages of every class but ToolMessageChunk, of which LangChain's own load loses a field, with any subset of fields, left as `undefined` or left
 * out.
 */
export const message: fc.Arbitrary<BaseMessage> = fc
  .tuple(fc.constantFrom(...classes), fc.record(common, { requiredKeys: ["content"] }))
  .map(([Cls, given]) => new Cls(structuredClone(given) as never));
