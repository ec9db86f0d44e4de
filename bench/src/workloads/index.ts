import type { Workload } from "../suite/workload.js";
import { agent } from "./agent.js";
import { chats } from "./chat.js";
import { codec } from "./codec.js";
import { fanOut } from "./fan-out.js";
import { footprint } from "./footprint.js";
import { history } from "./history.js";
import { huge } from "./huge.js";
import { approval } from "./interrupt.js";
import { opening } from "./opening.js";
import { memory, resume } from "./processes.js";
import { allPuts } from "./puts.js";
import { threads } from "./threads.js";
import { wide } from "./wide.js";

export const WORKLOADS: readonly Workload[] = [
  ...chats,
  agent,
  wide,
  fanOut,
  approval,
  history,
  threads,
  huge,
  resume,
  memory,
  ...allPuts,
  opening,
  codec,
  footprint,
];

/** `chat` stands for all that begin with `chat-`. */
export function workloadsNamed(name: string): Workload[] {
  return WORKLOADS.filter(({ id }) => id === name || id.startsWith(`${name}-`));
}
