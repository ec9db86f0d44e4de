import { runChild } from "../child/run.js";
import type { MeasureId } from "../suite/measures.js";
import { rounded } from "../suite/numbers.js";
import { outcome, type Outcome } from "../suite/results.js";
import type { Context, Workload } from "../suite/workload.js";
import type { Subject } from "../subjects/registry.js";
import type { Place } from "../subjects/subject.js";
import { chat } from "./chat.js";

const MESSAGE_BYTES = 1000;

/** A process that was not there before: a restart, a deployment, a function that was asleep. */
export const resume: Workload = {
  id: "resume",
  title: "Cold process resume",
  about: (scale) =>
    `A new process loads LangGraph and the saver, reads the state of a chat of ${turnsBefore(scale)} turns (1 KB messages), and runs the next turn.`,
  step: "process",
  main: "processTurn",
  takes: ({ backend }) => backend !== "memory",
  seconds: { file: 40, mongodb: 20, dynamodb: 30 },
  async run(whole) {
    const context = fewer(whole);
    const places = new Map<Subject, Place>();
    for (const subject of context.subjects) places.set(subject, await filled(context, subject));
    const processes = context.scale === "full" ? 7 : 2;
    return repeated(context, processes, async (subject) => {
      const place = places.get(subject)!;
      const report = await runChild({ subject: subject.id, place, turns: 1, messageBytes: MESSAGE_BYTES });
      if (report.found === 0) throw new Error(`${subject.label}: the new process did not find the chat`);
      const { libraries, state, end } = report;
      return { processState: state, ownState: state - libraries, processTurn: end };
    });
  },
};

/** The same chat in a process that does nothing else. */
export const memory: Workload = {
  id: "memory",
  title: "Peak memory",
  about: (scale) =>
    `A process of its own runs a chat of ${scale === "full" ? "200 turns (DynamoDB: 60)" : "25 turns (DynamoDB: 8)"} with 1 KB messages.`,
  step: "process",
  main: "rss",
  seconds: { file: 90, mongodb: 40, dynamodb: 40 },
  run(whole) {
    const context = fewer(whole);
    const full = context.scale === "full";
    return repeated(context, full ? 3 : 1, async (subject) => {
      const turns = subject.backend === "dynamodb" ? (full ? 60 : 8) : full ? 200 : 25;
      const place = context.place(subject);
      const { rss } = await runChild({ subject: subject.id, place, turns, messageBytes: MESSAGE_BYTES });
      return { rss };
    });
  },
};

/** A process for each mode of a saver takes long, and in these the modes hardly differ. */
function fewer(context: Context): Context {
  if (context.scale === "full") return context;
  const modes = ["file-group", "file-none", "sqlite"];
  return { ...context, subjects: context.subjects.filter(({ id }) => !modes.includes(id)) };
}

function turnsBefore(scale: Context["scale"]): number {
  return scale === "full" ? 60 : 12;
}

async function filled(context: Context, subject: Subject): Promise<Place> {
  const place = context.place(subject);
  const { saver, close } = await subject.open(place);
  await chat(saver, MESSAGE_BYTES).turns(turnsBefore(context.scale));
  await close();
  return place;
}

/** Each process is a repetition: nothing is warm in it. */
async function repeated(
  context: Context,
  times: number,
  measure: (subject: Subject) => Promise<Partial<Record<MeasureId, number>>>,
): Promise<Outcome[]> {
  const outcomes = new Map(context.subjects.map((subject) => [subject, outcome(subject.id)]));
  for (let at = 0; at < times; at++) {
    for (const [subject, { measures }] of outcomes) {
      for (const [name, value] of Object.entries(await measure(subject)))
        (measures[name as MeasureId] ??= []).push(rounded(value));
    }
    context.progress((at + 1) / times, `process ${at + 1} of ${times}`);
  }
  return [...outcomes.values()];
}
