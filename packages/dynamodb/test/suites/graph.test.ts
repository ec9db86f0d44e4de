import { graphSuite } from "@langgraph-savers/test";

import { local } from "../support/subject.js";

graphSuite(local);
