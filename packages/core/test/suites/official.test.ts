import { officialSuite } from "@langgraph-savers/test";

import { encrypted, inMemory } from "../subject.js";

officialSuite(inMemory);
officialSuite(encrypted);
