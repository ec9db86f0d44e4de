import { parseArgs } from "node:util";

import type { Scale } from "./suite/results.js";
import type { Workload } from "./suite/workload.js";
import { BACKENDS, type Backend } from "./subjects/registry.js";
import { WORKLOADS, workloadsNamed } from "./workloads/index.js";

export const USAGE = `pnpm bench [options]

  --quick            small sizes, under three minutes
  --workload NAME    only this one; \`chat\` stands for all that begin with \`chat-\`. Can be repeated
  --only BACKEND     only ${BACKENDS.join(", ")}. Can be repeated
  --check            end with 1 if a ratio of bench/budget.json does not hold
  --publish          keep the results in bench/results, and make the plots and the README's figures from them
  --from FILE        do not run: report what an earlier run found
  --list             the workloads

It writes bench/out/results.json and bench/out/report.html.`;

export interface Arguments {
  scale: Scale;
  workloads: Workload[];
  only: Backend[];
  check: boolean;
  publish: boolean;
  from: string | undefined;
  show: "usage" | "workloads" | undefined;
}

/** Throws with what to say about a mistake. */
export function readArguments(args: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: args.filter((each) => each !== "--"),
    options: {
      quick: { type: "boolean", default: false },
      workload: { type: "string", multiple: true, default: [] },
      only: { type: "string", multiple: true, default: [] },
      check: { type: "boolean", default: false },
      publish: { type: "boolean", default: false },
      from: { type: "string" },
      list: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const workloads = values.workload.flatMap((name) => {
    const named = workloadsNamed(name);
    if (named.length > 0) return named;
    throw new Error(`No workload named ${name}. There are: ${WORKLOADS.map(({ id }) => id).join(", ")}.`);
  });
  for (const name of values.only)
    if (!BACKENDS.includes(name as Backend))
      throw new Error(`No backend named ${name}. There are: ${BACKENDS.join(", ")}.`);
  return {
    scale: values.quick ? "quick" : "full",
    workloads: workloads.length > 0 ? workloads : [...WORKLOADS],
    only: values.only as Backend[],
    check: values.check,
    publish: values.publish,
    from: values.from,
    show: values.help ? "usage" : values.list ? "workloads" : undefined,
  };
}
