import type { CheckpointListOptions, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import fc from "fast-check";

import { configOf, listAll } from "./calls.js";
import { normal, same, sameList } from "./compare.js";
import type { Model, Query } from "./model.js";
import { build } from "./values.js";
import { channels, ids, namespaces, threads, type ModelCommand, type Real } from "./world.js";

class GetTupleCommand implements ModelCommand {
  constructor(private readonly at: { thread: string; namespace: string; id: string | undefined }) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, { saver }: Real): Promise<void> {
    const { thread, namespace, id } = this.at;
    same(
      String(this),
      normal(await saver.getTuple(configOf(thread, id, namespace))),
      normal(model.getTuple(thread, namespace, id)),
    );
  }

  toString(): string {
    return `getTuple[${this.at.thread}|${this.at.namespace}|${this.at.id ?? "latest"}]`;
  }
}

class ListCommand implements ModelCommand {
  constructor(private readonly query: Query) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, { saver }: Real): Promise<void> {
    await checkList(model, { saver }, this.query, String(this));
  }

  toString(): string {
    return `list[${JSON.stringify(this.query, (_, value: unknown) => (typeof value === "string" && value.length > 40 ? `${value.slice(0, 10)}...` : value))}]`;
  }
}

async function checkList(
  model: Model,
  { saver }: Pick<Real, "saver">,
  query: Query,
  what: string,
): Promise<void> {
  const configurable: Record<string, string> = {};
  if (query.thread !== undefined) configurable["thread_id"] = query.thread;
  if (query.namespace !== undefined) configurable["checkpoint_ns"] = query.namespace;
  if (query.id !== undefined) configurable["checkpoint_id"] = query.id;
  const options: CheckpointListOptions = {};
  if (query.limit !== undefined) options.limit = query.limit;
  if (query.filter !== undefined) options.filter = query.filter;
  if (query.before !== undefined) options.before = { configurable: { checkpoint_id: query.before } };
  const find = ({ config: { configurable: at } }: CheckpointTuple): CheckpointTuple | undefined =>
    model.getTuple(String(at?.["thread_id"]), String(at?.["checkpoint_ns"]), String(at?.["checkpoint_id"]));
  sameList(what, await listAll(saver, { configurable }, options), model.list(query), find);
}

class HistoryCommand implements ModelCommand {
  constructor(
    private readonly at: { thread: string; namespace: string; id: string | undefined; channels: string[] },
  ) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, { saver }: Real): Promise<void> {
    const { thread, namespace, id, channels: asked } = this.at;
    const got = await saver.getDeltaChannelHistory({
      config: configOf(thread, id, namespace),
      channels: asked,
    });
    same(String(this), { ...got }, model.history(thread, namespace, id, asked));
  }

  toString(): string {
    return `deltaHistory[${this.at.thread}|${this.at.namespace}|${this.at.id ?? "latest"} ${this.at.channels.join(",")}]`;
  }
}

class ReopenCommand implements ModelCommand {
  check(): boolean {
    return true;
  }

  async run(_model: Model, real: Real): Promise<void> {
    await real.reopen();
  }

  toString(): string {
    return "reopen[]";
  }
}

const where = { thread: fc.constantFrom(...threads), namespace: fc.constantFrom(...namespaces) };
const maybeId = fc.option(fc.constantFrom(...ids), { nil: undefined });
const filters: Record<string, unknown>[] = [
  {},
  { step: 1 },
  { step: "1" },
  { source: "loop", step: 0 },
  { tag: 1 },
  { tag: null },
  { missing: null },
  { run_id: "run-1" },
  { tag: { nested: { deep: [{}] }, list: [1, null, "x"], mark: 1 } },
  { tag: { mark: 1 } },
  { tag: build({ kind: "text", length: 5000, edit: -1 }) },
  { "tag.mark": 1 },
];

const getTuple = fc.record({ ...where, id: maybeId }).map((at) => new GetTupleCommand(at));
const list = fc
  .record(
    {
      ...where,
      id: fc.constantFrom(...ids),
      before: fc.constantFrom(...ids, "0", "zzz"),
      limit: fc.nat(4),
      filter: fc.constantFrom(...filters),
    },
    { requiredKeys: [] },
  )
  .map((query) => new ListCommand(query));
const history = fc
  .record({ ...where, id: maybeId, channels: fc.subarray(channels) })
  .map((at) => new HistoryCommand(at));
const reopen = fc.constant(null).map(() => new ReopenCommand());

export const readingCommands: fc.Arbitrary<ModelCommand>[] = [
  getTuple,
  getTuple,
  getTuple,
  list,
  list,
  history,
  reopen,
];

/** Everything that is stored, at the end of a run. */
export async function checkAll(model: Model, real: Pick<Real, "saver">): Promise<void> {
  await checkList(model, real, {}, "all that is stored");
}
