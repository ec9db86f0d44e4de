import { Annotation, interrupt, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

const Booking = Annotation.Root({
  city: Annotation<string>(),
  log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

/**
 * Searches hotels and, beside it, asks a human for leave. The search is done when the human has not answered yet: what it
 * found is stored as a pending write, and it must not be done again when the answer comes. A script stands in for both.
 */
export function bookingAgent(checkpointer: BaseCheckpointSaver, onSearch: () => void) {
  return new StateGraph(Booking)
    .addNode("search", ({ city }) => {
      onSearch();
      return { log: [`found Hotel Tejo in ${city}, 140 EUR a night`] };
    })
    .addNode("ask", ({ city }) => {
      const answer = interrupt<string, string>(`Three nights in ${city}, 420 EUR. Book?`);
      return { log: [`asked for leave: ${answer}`] };
    })
    .addNode("book", ({ city, log }) => ({
      log: [log.includes("asked for leave: yes") ? `booked three nights in ${city}` : "booked nothing"],
    }))
    .addEdge(START, "search")
    .addEdge(START, "ask")
    .addEdge(["search", "ask"], "book")
    .compile({ checkpointer });
}
