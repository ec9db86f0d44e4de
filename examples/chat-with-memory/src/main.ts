// One turn of a chat per start: what was said in earlier ones is in the directory.
import { HumanMessage } from "@langchain/core/messages";
import { FileSaver } from "@langgraph-savers/file";
import { chat } from "./chat.js";

const [text = "Hello!", thread = "ada", directory = "./checkpoints"] = process.argv.slice(2);

await using saver = new FileSaver(directory);
const config = { configurable: { thread_id: thread } };
const { messages } = await chat(saver).invoke({ messages: [new HumanMessage(text)] }, config);

console.log(`you:  ${text}`);
console.log(`chat: ${messages.at(-1)?.text}`);
for await (const { threadId, checkpoints, bytes, updatedAt } of saver.listThreads())
  console.log(`      (${threadId}: ${checkpoints} checkpoints, ${bytes} bytes, ${updatedAt.toISOString()})`);
