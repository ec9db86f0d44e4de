import { conformanceSuite } from "@langgraph-savers/conformance/vitest";
import { conformanceTarget } from "@langgraph-savers/test";

import { dynalite } from "../support/subject.js";

conformanceSuite(conformanceTarget(dynalite));
