// Runs the agent up to the human's turn and beyond it never gets: its parent kills it while it waits.
import { HumanMessage } from "@langchain/core/messages";
import { refundAgent } from "./agent.js";

const [directory, thread] = process.argv.slice(2) as [string, string];
const graph = refundAgent(directory);
const question = new HumanMessage("My lamp arrived broken. I want my money back.");
await graph.invoke({ messages: [question] }, { configurable: { thread_id: thread } });
process.stdout.write("waiting\n");
setInterval(() => {}, 1000);
