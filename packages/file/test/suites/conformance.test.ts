import { conformanceSuite } from "@langgraph-savers/conformance/vitest";

import { fileTarget } from "../subject.js";

conformanceSuite(fileTarget("FileSaver", {}));
