import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { SUBJECTS, type Backend, type Group, type Subject } from "../subjects/registry.js";
import { sqliteMissing } from "../subjects/sqlite.js";
import { machine, versions } from "./machine.js";
import { Progress } from "./progress.js";
import type { Results, Scale, WorkloadResult } from "./results.js";
import { startServers, type Servers } from "./servers.js";
import type { Context, Workload } from "./workload.js";

export interface RunOptions {
  scale: Scale;
  workloads: readonly Workload[];
  /** All, where it is empty. */
  only: readonly Backend[];
  command: string;
}

interface Job {
  workload: Workload;
  group: Group;
  subjects: Subject[];
  name: string;
  seconds: number;
}

/** Runs the workloads with the subjects, one group of subjects after the other. */
export async function run({ scale, workloads, only, command }: RunOptions): Promise<Results> {
  const start = performance.now();
  const leftOut: string[] = [];
  const subjects = available(only, leftOut);
  const servers = await startServers(
    plan(workloads, subjects).map(({ group }) => group),
    leftOut,
  );
  const jobs = plan(
    workloads,
    subjects.filter(({ group }) => servers.groups.has(group)),
  );
  const progress = new Progress(jobs);
  const folder = mkdtempSync(join(tmpdir(), "langgraph-savers-bench-"));
  const end = () => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(130);
  };
  process.once("SIGINT", end);
  try {
    const results = new Map<string, WorkloadResult>();
    for (const [at, job] of jobs.entries()) {
      progress.begin(at);
      const started = performance.now();
      const { workload } = job;
      const { id, title, step, main } = workload;
      const result = results.get(id) ?? { id, title, about: workload.about(scale), step, main, outcomes: [] };
      try {
        result.outcomes.push(
          ...(await runJob(job, scale, folder, servers, (done, detail) => progress.update(done, detail))),
        );
      } catch (error) {
        // The rest of the run is worth having.
        const reason = error instanceof Error ? error.message : String(error);
        leftOut.push(`${job.name}: ${reason}`);
        progress.say(`${job.name} failed: ${reason}`);
      }
      took(job, started);
      results.set(id, result);
    }
    progress.clear();
    return {
      format: 1,
      scale,
      command,
      date: new Date().toISOString().slice(0, 10),
      seconds: Math.round((performance.now() - start) / 1000),
      machine: machine(),
      versions: versions(),
      leftOut,
      workloads: [...results.values()],
    };
  } finally {
    process.off("SIGINT", end);
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function available(only: readonly Backend[], leftOut: string[]): Subject[] {
  const wanted = SUBJECTS.filter(({ backend }) => only.length === 0 || only.includes(backend));
  if (!wanted.some(({ id }) => id === "sqlite")) return wanted;
  const missing = sqliteMissing((text) => console.error(text));
  if (missing === undefined) return wanted;
  leftOut.push(`The comparison with the official SQLite saver, because ${missing}.`);
  return wanted.filter(({ id }) => !id.startsWith("sqlite"));
}

function plan(workloads: readonly Workload[], subjects: readonly Subject[]): Job[] {
  const groups: Group[] = ["file", "mongodb", "dynamodb"];
  return groups.flatMap((group) =>
    workloads.flatMap((workload): Job[] => {
      const taken = subjects.filter((each) => each.group === group && (workload.takes?.(each) ?? true));
      if (taken.length === 0) return [];
      return [
        {
          workload,
          group,
          subjects: taken,
          name: `${workload.id} on ${group}`,
          seconds: workload.seconds[group] ?? 10,
        },
      ];
    }),
  );
}

async function runJob(
  { workload, group, subjects }: Job,
  scale: Scale,
  parent: string,
  servers: Servers,
  progress: Context["progress"],
): Promise<WorkloadResult["outcomes"]> {
  const folder = mkdtempSync(join(parent, `${workload.id}-`));
  const { mongodbUri, dynamodbEndpoint } = servers;
  const place: Context["place"] = ({ id }) => {
    return { folder, name: `${workload.id}-${id}-${nextNumber()}`, mongodbUri, dynamodbEndpoint };
  };
  try {
    return await workload.run({ scale, subjects, group, place, progress });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** For those who set the weights of the progress bar, and the sizes. */
function took({ name, seconds }: Job, started: number): void {
  if (process.env["BENCH_TIMES"] === undefined) return;
  console.error(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s, planned ${seconds}`);
}

let places = 0;

/** Unique also on a server that stays after the run. */
function nextNumber(): string {
  places += 1;
  return `${process.pid}-${places}`;
}
