import { conformanceSuite } from "@langgraph-savers/conformance/vitest";

import { encryptedTarget, inMemoryTarget } from "../subject.js";

conformanceSuite(inMemoryTarget);
conformanceSuite(encryptedTarget);
