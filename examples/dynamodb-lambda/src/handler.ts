import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { Annotation, START, StateGraph } from "@langchain/langgraph";
import { DynamoDBSaver } from "@langgraph-savers/dynamodb";

// Outside of the handler: a warm Lambda uses the client, the saver and what it has cached again. The endpoint is for a
// server of your own; in AWS leave it out, and region and credentials come from the environment.
const endpoint = process.env["DYNAMODB_ENDPOINT"];
export const saver = new DynamoDBSaver({
  tableName: process.env["TABLE_NAME"] ?? "checkpoints",
  client: new DynamoDBClient(endpoint === undefined ? {} : { endpoint }),
});

const State = Annotation.Root({
  visits: Annotation<number>({ reducer: (a, b) => a + b, default: () => 0 }),
  greeting: Annotation<string>(),
});

const graph = new StateGraph(State)
  .addNode("visit", () => ({ visits: 1 }))
  .addNode("greet", ({ visits }) => ({
    greeting: visits === 1 ? "Welcome!" : `Welcome back. This is visit ${visits}.`,
  }))
  .addEdge(START, "visit")
  .addEdge("visit", "greet")
  .compile({ checkpointer: saver });

interface Request {
  /** Who is talking: one thread each. */
  user: string;
}

interface Response {
  statusCode: number;
  body: string;
}

export async function handler({ user }: Request): Promise<Response> {
  // What is acknowledged is stored: a Lambda may be frozen the moment it has answered.
  const { greeting } = await graph.invoke({}, { configurable: { thread_id: user }, durability: "sync" });
  return { statusCode: 200, body: greeting };
}
