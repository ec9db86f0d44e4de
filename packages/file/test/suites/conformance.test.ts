import { conformanceSuite } from "@langgraph-savers/conformance/vitest";
import { conformanceTarget } from "@langgraph-savers/test";

import { fileSubject } from "../subject.js";

conformanceSuite(conformanceTarget(fileSubject("FileSaver", {})));
