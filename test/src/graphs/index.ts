import { describe } from "vitest";
import type { SaverUnderTest } from "../saver-under-test.js";
import { concurrencyTests } from "./concurrency.js";
import { deltaTests } from "./delta.js";
import { durabilityTests } from "./durability.js";
import { failureTests } from "./failures.js";
import { forkTests } from "./forks.js";
import { functionalTests } from "./functional.js";
import { interruptTests } from "./interrupts.js";
import { messageTests } from "./messages.js";
import { mutationTests } from "./mutation.js";
import { parallelTests } from "./parallel.js";
import { statefulSubgraphTests } from "./stateful-subgraphs.js";
import { streamingTests } from "./streaming.js";
import { subgraphTests } from "./subgraphs.js";
import { threadTests } from "./threads.js";
import { timeTravelTests } from "./time-travel.js";
import { valueTests } from "./values.js";

/** Real graphs of LangGraph over the saver: what its users see of it. */
export function graphSuite(subject: SaverUnderTest): void {
  describe(`graphs: ${subject.name}`, () => {
    interruptTests(subject);
    parallelTests(subject);
    subgraphTests(subject);
    statefulSubgraphTests(subject);
    timeTravelTests(subject);
    forkTests(subject);
    durabilityTests(subject);
    deltaTests(subject);
    failureTests(subject);
    functionalTests(subject);
    messageTests(subject);
    mutationTests(subject);
    valueTests(subject);
    concurrencyTests(subject);
    streamingTests(subject);
    threadTests(subject);
  });
}
