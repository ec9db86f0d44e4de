import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

import { stepped } from "../suite/steps.js";
import type { Workload } from "../suite/workload.js";
import { readings } from "./reading.js";
import { planOf, stepsOf, type Sizes } from "./sizes.js";
import { words } from "./text.js";

const ENOUGH_FAILURES = 6;
const CHAT_THREAD = "chat";
export const CHAT_CONFIG = { configurable: { thread_id: CHAT_THREAD } };

/** A chat on a real graph: each turn adds a message of a human and one of a model. */
export function chat(checkpointer: BaseCheckpointSaver, messageBytes: number) {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("model", ({ messages: { length } }) => ({
      messages: [new AIMessage({ id: `a${length}`, content: words(messageBytes, length) })],
    }))
    .addEdge(START, "model")
    .addEdge("model", END)
    .compile({ checkpointer });
  const turn = async (at: number): Promise<void> => {
    const message = new HumanMessage({ id: `h${at}`, content: words(messageBytes, -at) });
    await graph.invoke({ messages: [message] }, CHAT_CONFIG);
  };
  /** So many turns more, each again where it fails: one peer fails by chance on a new thread. */
  const turns = async (count: number, after = 0): Promise<void> => {
    for (let at = 1, failures = 0; at <= count; at++) {
      try {
        await turn(after + at);
      } catch (error) {
        failures += 1;
        at -= 1;
        if (failures === ENOUGH_FAILURES) throw error;
      }
    }
  };
  return { graph, turn, turns };
}

function growing(
  id: string,
  size: string,
  messageBytes: number,
  sizes: Sizes,
  seconds: Workload["seconds"],
): Workload {
  return stepped({
    id,
    title: `Growing chat, ${size} messages`,
    about: (scale) =>
      `A conversation of ${stepsOf(sizes, scale, "file")} turns (DynamoDB: ${stepsOf(sizes, scale, "dynamodb")}) on a compiled ` +
      `graph; each turn adds two messages of ${size}. Then what is stored is read, warm and cold.`,
    step: "turn",
    main: "time",
    curves: true,
    seconds,
    plan: planOf(sizes),
    async start(opened) {
      const { turn } = chat(opened.saver, messageBytes);
      return { step: turn, probes: readings(opened, CHAT_THREAD) };
    },
  });
}

export const chats: Workload[] = [
  growing(
    "chat-1k",
    "1 KB",
    1000,
    { full: 300, quick: 35, dynamodb: { full: 100, quick: 10 }, rounds: { full: 12, quick: 2 } },
    { file: 110, mongodb: 60, dynamodb: 100 },
  ),
  growing(
    "chat-10k",
    "10 KB",
    10_000,
    { full: 80, quick: 8, dynamodb: { full: 40, quick: 5 }, rounds: { full: 6, quick: 1 } },
    { file: 60, mongodb: 40, dynamodb: 40 },
  ),
];
