import { contractSuite } from "@langgraph-savers/test";

import { encrypted, inMemory } from "../subject.js";

contractSuite(inMemory);
contractSuite(encrypted);
