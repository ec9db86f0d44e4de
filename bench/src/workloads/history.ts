import { HumanMessage } from "@langchain/core/messages";

import { stepped } from "../suite/steps.js";
import type { Probe } from "../suite/workload.js";
import { chat, CHAT_CONFIG } from "./chat.js";
import { planOf } from "./sizes.js";
import { words } from "./text.js";

const MESSAGE_BYTES = 1000;

/** Looking back: every checkpoint of a thread, one of the past, and a new branch from there. */
export const history = stepped({
  id: "history",
  title: "History and time travel",
  about: (scale) =>
    `A chat of ${scale === "full" ? 50 : 10} turns (DynamoDB: ${scale === "full" ? 30 : 6}; its turns are not what is compared); then its whole history is listed ` +
    "by a saver that has seen none of it, the state in its middle is read, and a branch is run from there.",
  step: "turn",
  main: "history",
  seconds: { file: 25, mongodb: 20, dynamodb: 90 },
  plan: planOf({ full: 50, quick: 10, dynamodb: { full: 30, quick: 6 }, rounds: { full: 6, quick: 2 } }),
  async start(opened) {
    const { graph, turn } = chat(opened.saver, MESSAGE_BYTES);
    const ids: string[] = [];
    let forks = 0;
    const past = () => ({
      configurable: { ...CHAT_CONFIG.configurable, checkpoint_ns: "", checkpoint_id: ids[ids.length >> 1]! },
    });
    const onCold = (measure: "history" | "past", read: (over: typeof graph) => Promise<unknown>): Probe => ({
      measure,
      async prepare() {
        const { saver, close } = await opened.cold();
        const over = chat(saver, MESSAGE_BYTES).graph;
        return { run: () => read(over), done: close };
      },
    });
    return {
      async step(at) {
        await turn(at);
        const { config } = await graph.getState(CHAT_CONFIG);
        ids.push(String(config.configurable?.["checkpoint_id"]));
      },
      probes: [
        onCold("history", async (over) => {
          let count = 0;
          for await (const _ of over.getStateHistory(CHAT_CONFIG)) count += 1;
          if (count < ids.length) throw new Error(`only ${count} checkpoints were listed`);
        }),
        onCold("past", (over) => over.getState(past())),
        {
          measure: "fork",
          prepare: async () => ({
            run() {
              forks += 1;
              const message = new HumanMessage({
                id: `f${forks}`,
                content: words(MESSAGE_BYTES, forks * 7919),
              });
              return graph.invoke({ messages: [message] }, past());
            },
          }),
        },
      ],
    };
  },
});
