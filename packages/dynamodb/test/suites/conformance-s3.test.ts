import { conformanceSuite } from "@langgraph-savers/conformance/vitest";
import { conformanceTarget } from "@langgraph-savers/test";
import { describe } from "vitest";

import { withS3 } from "../support/subject.js";

// Each scenario has a table of its own; five at once take longer each.
describe.concurrent("at once", () => {
  conformanceSuite({ ...conformanceTarget(withS3), timeoutScale: 5 });
});
