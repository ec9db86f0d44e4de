import { Annotation, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ visits: Annotation<number>({ reducer: (a, b) => a + b, default: () => 0 }) });
const builder = new StateGraph(State).addNode("visit", () => ({ visits: 1 })).addEdge(START, "visit");
const input = {};
