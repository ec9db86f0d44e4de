import { BlockWatch, processorTime, writtenBytes } from "./process-meters.js";
import { summary, type Runner, type Track } from "./steps-summary.js";
import type { Context, Steps, Workload } from "./workload.js";

/** A step that fails is tried again, so that all have the same data; one that fails so often ends the subject. */
const ATTEMPTS = 4;
/** Looks at the stored bytes, in a workload with curves. */
const LOOKS = 20;

/** The workload with its running: all subjects step by step in turns, so that noise of the machine falls on all alike. */
export function stepped(workload: Steps): Workload {
  return {
    ...workload,
    async run(context) {
      const repetitions: Runner[][] = [];
      const { repetitions: wanted } = workload.plan(context.scale, context.group);
      for (let at = 0; at < wanted; at++)
        repetitions.push(await repeat(workload, context, at / wanted, 1 / wanted));
      return context.subjects.map((subject) => summary(workload, subject, repetitions));
    },
  };
}

async function repeat(workload: Steps, context: Context, from: number, share: number): Promise<Runner[]> {
  const runners: Runner[] = [];
  const watch = new BlockWatch();
  try {
    for (const subject of context.subjects) {
      const opened = await subject.open(context.place(subject));
      const session = await workload.start(opened, context.scale);
      const { steps } = workload.plan(context.scale, subject.backend);
      runners.push({ subject, opened, session, steps, ...empty() });
    }
    const most = Math.max(...runners.map(({ steps }) => steps));
    const lookEvery = Math.ceil(most / LOOKS);
    for (let step = 1; step <= most; step++) {
      for (const runner of inTurn(runners, step)) {
        if (runner.stoppedAt !== undefined || step > runner.steps) continue;
        await attempted(runner, step, watch);
        const look = workload.curves === true && (step % lookEvery === 0 || step === runner.steps);
        if (look) runner.looks.push([step, await runner.opened.stored()]);
      }
      context.progress(from + share * 0.9 * (step / most), `${workload.step} ${step} of ${most}`);
    }
    for (const runner of runners) {
      runner.ends.stored = await runner.opened.stored();
      if (runner.opened.disk !== undefined) runner.ends.disk = await runner.opened.disk();
    }
    const { rounds = 0 } = workload.plan(context.scale, context.group);
    for (let round = -1; round < rounds; round++) {
      for (const runner of inTurn(runners, round + 1)) await probed(runner, round);
      context.progress(from + share * (0.9 + (0.1 * (round + 1)) / rounds), "readings");
    }
    return runners;
  } finally {
    for (const { opened } of runners) {
      await opened.remove?.();
      await opened.close();
    }
  }
}

function empty() {
  return { track: {}, looks: [], failures: [], attempts: 0, stoppedAt: undefined, probes: {}, ends: {} };
}

/** Who comes first changes from step to step: nobody always runs after the one that leaves the most garbage. */
function inTurn<T>(all: readonly T[], step: number): T[] {
  const at = step % all.length;
  return [...all.slice(at), ...all.slice(0, at)];
}

async function attempted(runner: Runner, step: number, watch: BlockWatch): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    runner.attempts += 1;
    try {
      await measured(runner, step, watch);
      return;
    } catch (error) {
      runner.failures.push(error instanceof Error ? error.message : String(error));
      await watch.end();
    }
  }
  runner.stoppedAt = step;
}

async function measured(
  { opened, session, subject, track }: Runner,
  step: number,
  watch: BlockWatch,
): Promise<void> {
  session.before?.(step);
  const before = opened.counts?.();
  const written = writtenBytes();
  watch.begin();
  const cpu = processorTime();
  const start = performance.now();
  await session.step(step);
  const time = performance.now() - start;
  const spent = processorTime() - cpu;
  const delay = await watch.end();
  const keep = (name: keyof Track, value: number) => (track[name] ??= []).push(value);
  keep("time", time);
  keep("cpu", spent);
  keep("delay", delay);
  if (subject.backend !== "memory" && written !== undefined) keep("written", writtenBytes()! - written);
  const after = opened.counts?.();
  for (const name of ["requests", "roundTrips", "readUnits", "writeUnits"] as const)
    if (after?.[name] !== undefined) keep(name, after[name] - before![name]!);
}

/** Round -1 warms up and is not counted. */
async function probed(runner: Runner, round: number): Promise<void> {
  if (runner.stoppedAt !== undefined) return;
  for (const { measure, prepare, every = 1 } of runner.session.probes ?? []) {
    if (round >= 0 && round % every !== 0) continue;
    const { run, done } = await prepare();
    const start = performance.now();
    await run();
    if (round >= 0) (runner.probes[measure] ??= []).push(performance.now() - start);
    await done?.();
  }
}
