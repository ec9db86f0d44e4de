import { AIMessage, HumanMessage, type BaseMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

const WORDS =
  "the a of to and in that it is was for on are as with his they at be this from have or by one had not but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than first been its who now people my made over did down only way find use may water long little very after words called just where most know".split(
    " ",
  );

/** About 1 KB of words; the same for the same number. */
function sentence(seed: number): string {
  let state = (seed + 1) * 2_654_435_761;
  let text = "";
  while (text.length < 1000) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += `${WORDS[state % WORDS.length]}${state % 7 === 0 ? state % 1000 : ""} `;
  }
  return text.slice(0, 1000);
}

export function messages(count: number): BaseMessage[] {
  return Array.from({ length: count }, (_, at) => {
    const fields = { id: `message-${at}`, content: sentence(at) };
    return at % 2 === 0 ? new HumanMessage(fields) : new AIMessage(fields);
  });
}

/** A chat on a real graph: each call of what it returns is one turn. */
export function chat(checkpointer: BaseCheckpointSaver): (turn: number) => Promise<void> {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("model", (state) => ({
      messages: [
        new AIMessage({ id: `a${state.messages.length}`, content: sentence(state.messages.length) }),
      ],
    }))
    .addEdge(START, "model")
    .addEdge("model", END)
    .compile({ checkpointer });
  const config = { configurable: { thread_id: "chat" } };
  return async (turn) => {
    await graph.invoke(
      { messages: [new HumanMessage({ id: `h${turn}`, content: sentence(-turn) })] },
      config,
    );
  };
}
