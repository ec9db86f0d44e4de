import { conformanceSuite } from "@langgraph-savers/conformance/vitest";
import { conformanceTarget } from "@langgraph-savers/test";

import { local } from "../support/subject.js";

conformanceSuite(conformanceTarget(local));
