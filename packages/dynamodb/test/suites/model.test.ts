import { modelSuite } from "@langgraph-savers/test";

import { local } from "../support/subject.js";

modelSuite(local);
