import { conformanceSuite } from "@langgraph-savers/conformance/vitest";
import { conformanceTarget } from "@langgraph-savers/test";

import { replicated } from "./subject.js";

conformanceSuite(conformanceTarget(replicated("sync")));
