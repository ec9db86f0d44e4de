import { storeSuite } from "@langgraph-savers/test";

import { inMemory } from "../subject.js";

storeSuite(inMemory);
