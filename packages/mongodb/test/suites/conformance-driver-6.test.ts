import { conformanceSuite } from "@langgraph-savers/conformance/vitest";
import { conformanceTarget } from "@langgraph-savers/test";

import { subject } from "../support/subject.js";

conformanceSuite(conformanceTarget(subject("driver 6")));
