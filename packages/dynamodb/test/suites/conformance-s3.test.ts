import { conformanceSuite } from "@langgraph-savers/conformance/vitest";
import { conformanceTarget } from "@langgraph-savers/test";

import { withS3 } from "../support/subject.js";

conformanceSuite(conformanceTarget(withS3));
