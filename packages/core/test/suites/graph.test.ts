import { graphSuite } from "@langgraph-savers/test";

import { encrypted, inMemory } from "../subject.js";

graphSuite(inMemory);
graphSuite(encrypted);
