import { FakeListChatModel } from "@langchain/core/utils/testing";

const model = new FakeListChatModel({ responses: ["Hello!"] });
