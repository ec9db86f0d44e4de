import { modelSuite } from "@langgraph-savers/test";

import { failing } from "../support/subject.js";

modelSuite(failing, { runs: 8 });
