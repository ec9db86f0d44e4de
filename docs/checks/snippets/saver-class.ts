import { MemorySaver } from "@langchain/langgraph-checkpoint";

class MySaver extends MemorySaver {}
