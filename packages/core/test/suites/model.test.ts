import { modelSuite } from "@langgraph-savers/test";

import { encrypted, inMemory } from "../subject.js";

modelSuite(inMemory);
modelSuite(encrypted);
