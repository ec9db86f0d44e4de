// Copied into an empty project as use.mts and as use.cts: what somebody who installed the packages would write.
import { Annotation, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { runConformance, type ConformanceReport } from "@langgraph-savers/conformance";
import { InMemorySaver, isSaverError, type SaverErrorCode, type SaverOptions } from "@langgraph-savers/core";
import { DynamoDBSaver } from "@langgraph-savers/dynamodb";
import { FileSaver } from "@langgraph-savers/file";
import { MongoDBSaver } from "@langgraph-savers/mongodb";

const options: SaverOptions = { cacheBytes: 1024 };
const State = Annotation.Root({ visits: Annotation<number>({ reducer: (a, b) => a + b, default: () => 0 }) });

async function visits(checkpointer: BaseCheckpointSaver): Promise<number> {
  const graph = new StateGraph(State)
    .addNode("visit", () => ({ visits: 1 }))
    .addEdge(START, "visit")
    .compile({ checkpointer });
  const config = { configurable: { thread_id: "ada" } };
  await graph.invoke({}, config);
  return (await graph.invoke({}, config)).visits;
}

async function main(): Promise<void> {
  const savers = [
    new InMemorySaver(options),
    new FileSaver(process.argv[2] ?? "", options),
    MongoDBSaver.fromUri(process.env["MONGODB_URI"] ?? "", { dbName: "packed", ...options }),
    new DynamoDBSaver({ tableName: `packed-${process.pid}`, ...options }),
  ];
  const counts: number[] = [];
  for (const saver of savers) {
    await saver.deleteThread("ada");
    counts.push(await visits(saver));
    await saver.close();
  }

  const code: SaverErrorCode | undefined = await savers[0]!.ping().then(
    () => undefined,
    (error: unknown) => (isSaverError(error) ? error.code : undefined),
  );
  const report: ConformanceReport = await runConformance({
    name: "InMemorySaver",
    create: () => ({ saver: new InMemorySaver() }),
    only: ["put"],
  });
  console.log(JSON.stringify({ counts, code, failed: report.failed, passed: report.passed > 0 }));
}

void main();
