import { conformanceSuite } from "@langgraph-savers/conformance/vitest";
import { conformanceTarget } from "@langgraph-savers/test";

import { encrypted, inMemory } from "../subject.js";

conformanceSuite(conformanceTarget(inMemory));
conformanceSuite(conformanceTarget(encrypted));
