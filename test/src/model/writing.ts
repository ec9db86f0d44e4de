import {
  ERROR,
  INTERRUPT,
  RESUME,
  TASKS,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointMetadata,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";
import fc from "fast-check";

import { configOf, type PutWritesWithPath } from "./calls.js";
import { same } from "./compare.js";
import type { Model, Place } from "./model.js";
import { build, recipes, scribble, show, type Recipe } from "./values.js";
import { channels, ids, namespaces, threads, type ModelCommand, type Real } from "./world.js";

/**
 * What a put does with one channel: `set` a new value, `carry` the parent's, `empty` it (a version and no value), or
 * `leave` it out. A carried channel is passed a value that must be ignored wherever the parent is stored.
 */
interface ChannelStep {
  op: "set" | "carry" | "empty" | "leave";
  version: number;
  recipe: Recipe;
}

interface PutPlan extends Place {
  parent: string | undefined;
  v: number;
  steps: ChannelStep[];
  step: number;
  tag: Recipe;
  runId: string | undefined;
  times: "once" | "twice" | "twice at once";
}

class PutCommand implements ModelCommand {
  constructor(private readonly plan: PutPlan) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, { saver }: Real): Promise<void> {
    const { plan } = this;
    const once = async (): Promise<void> => {
      const { checkpoint, metadata, newVersions } = this.arguments(model);
      const config = {
        ...configOf(plan.thread, plan.parent, plan.namespace),
        ...(plan.runId === undefined ? {} : { metadata: { run_id: plan.runId } }),
      };
      const putting = saver.put(config, checkpoint, metadata, newVersions);
      for (const value of [
        ...Object.values(checkpoint.channel_values),
        checkpoint.channel_values,
        metadata,
        newVersions,
      ])
        scribble(value);
      same("put returns", await putting, configOf(plan.thread, plan.id, plan.namespace));
    };
    const recorded = this.arguments(model);
    // The second put of a pair carries from what the model had before the first: the same put, doubled by a retry.
    if (plan.times === "twice at once") await Promise.all([once(), once()]);
    else for (let time = plan.times === "twice" ? 2 : 1; time > 0; time -= 1) await once();
    const { checkpoint, metadata, newVersions } = recorded;
    model.put(
      plan,
      plan.parent,
      checkpoint,
      { ...metadata, ...(plan.runId === undefined ? {} : { run_id: plan.runId }) },
      newVersions,
    );
  }

  /** New objects each time: one set for the saver, one for the model. */
  private arguments(model: Model): {
    checkpoint: Checkpoint;
    metadata: CheckpointMetadata;
    newVersions: ChannelVersions;
  } {
    const { plan } = this;
    const parent = plan.parent === undefined ? undefined : model.find({ ...plan, id: plan.parent });
    const checkpoint: Checkpoint = {
      v: plan.v,
      id: plan.id,
      ts: "2026-01-02T03:04:05.678Z",
      channel_values: {},
      channel_versions: {},
      versions_seen: { node: { x: plan.step } },
    };
    const newVersions: ChannelVersions = {};
    for (const [at, { op, version, recipe }] of plan.steps.entries()) {
      const channel = channels[at]!;
      const inherited = parent?.checkpoint.channel_versions[channel];
      if (op === "leave" || (op === "carry" && parent !== undefined && inherited === undefined)) continue;
      checkpoint.channel_versions[channel] = op === "carry" ? (inherited ?? version) : version;
      if (op !== "carry") newVersions[channel] = version;
      const holds =
        op === "set" ||
        (op === "carry" && (parent === undefined || channel in parent.checkpoint.channel_values));
      if (holds) checkpoint.channel_values[channel] = build(recipe);
    }
    const metadata = { source: "loop", step: plan.step, parents: {}, tag: build(plan.tag) } as const;
    return { checkpoint, metadata, newVersions };
  }

  toString(): string {
    const { thread, namespace, id, parent, v, steps, step, tag, runId, times } = this.plan;
    const shown = steps
      .map((each, at) => `${channels[at]}:${each.op}@${each.version} ${show(each.recipe)}`)
      .join("; ");
    return `put[${thread}|${namespace}|${id} parent=${parent ?? "none"} v=${v} step=${step} tag=${show(tag)} run=${runId ?? "none"} ${times} {${shown}}]`;
  }
}

interface WritesPlan extends Place {
  task: Task;
  writes: [string, Recipe][];
}

interface Task {
  id: string;
  path: string | undefined;
}

/** Chosen so that (taskPath, taskId) and taskId alone give one order: the delta history knows task ids only. */
const tasks: Task[] = [
  { id: "A", path: undefined },
  { id: "a", path: undefined },
  { id: "b", path: "~p, 1" },
];

class PutWritesCommand implements ModelCommand {
  constructor(private readonly plan: WritesPlan) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, { saver }: Real): Promise<void> {
    const { thread, namespace, id, task } = this.plan;
    const writes = this.writes();
    const putWrites: PutWritesWithPath = saver.putWrites.bind(saver);
    const config = configOf(thread, id, namespace);
    const putting =
      task.path === undefined
        ? putWrites(config, writes, task.id)
        : putWrites(config, writes, task.id, task.path);
    for (const [, value] of writes) scribble(value);
    await putting;
    model.putWrites(this.plan, this.writes(), task.id, task.path);
  }

  private writes(): PendingWrite[] {
    return this.plan.writes.map(([channel, recipe]) => [channel, build(recipe)]);
  }

  toString(): string {
    const { thread, namespace, id, task, writes } = this.plan;
    return `putWrites[${thread}|${namespace}|${id} task=${task.id} {${writes.map(([channel, recipe]) => `${channel} ${show(recipe)}`).join("; ")}}]`;
  }
}

class DeleteThreadCommand implements ModelCommand {
  constructor(private readonly thread: string) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, { saver }: Real): Promise<void> {
    await saver.deleteThread(this.thread);
    model.deleteThread(this.thread);
  }

  toString(): string {
    return `deleteThread[${this.thread}]`;
  }
}

const place = {
  thread: fc.constantFrom(...threads),
  namespace: fc.constantFrom(...namespaces),
  id: fc.constantFrom(...ids),
};

/** An `undefined` in a channel is left to the contract's own tests: savers may tell it from absence in a seed or not. */
const channelRecipes = recipes.filter((recipe) => !(recipe.kind === "scalar" && recipe.of === "undefined"));
const channelStep = fc.record({
  op: fc.oneof(
    { weight: 4, arbitrary: fc.constant("set" as const) },
    { weight: 4, arbitrary: fc.constant("carry" as const) },
    fc.constantFrom("empty", "leave"),
  ),
  version: fc.integer({ min: 1, max: 3 }),
  recipe: channelRecipes,
});

const put = fc
  .record({
    ...place,
    parent: fc.option(fc.constantFrom(...ids), { nil: undefined, freq: 6 }),
    v: fc.oneof({ weight: 4, arbitrary: fc.constant(4) }, fc.constantFrom(1, 3)),
    steps: fc.array(channelStep, { minLength: channels.length, maxLength: channels.length }),
    step: fc.nat(2),
    tag: fc.constantFrom<Recipe>(
      { kind: "number", of: 1 },
      { kind: "scalar", of: "null" },
      { kind: "small", mark: 1 },
      { kind: "text", length: 5000, edit: -1 },
    ),
    runId: fc.option(fc.constantFrom("run-1", "run-2"), { nil: undefined }),
    times: fc.oneof(
      { weight: 6, arbitrary: fc.constant("once" as const) },
      fc.constantFrom("twice", "twice at once"),
    ),
  })
  .map((plan) => new PutCommand(plan));

const written = fc.tuple(fc.constantFrom(...channels, ...channels, TASKS, ERROR, INTERRUPT, RESUME), recipes);
const putWrites = fc
  .record({ ...place, task: fc.constantFrom(...tasks), writes: fc.array(written, { maxLength: 5 }) })
  .map((plan) => new PutWritesCommand(plan));
const deleteThread = fc.constantFrom(...threads).map((thread) => new DeleteThreadCommand(thread));

/** Commands that change something; puts are the most frequent. */
export const writingCommands: fc.Arbitrary<ModelCommand>[] = [
  put,
  put,
  put,
  put,
  putWrites,
  putWrites,
  deleteThread,
];
