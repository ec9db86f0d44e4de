import { contractSuite } from "@langgraph-savers/test";

import { local } from "../support/subject.js";

contractSuite(local);
