import { officialSuite } from "@langgraph-savers/test";

import { local } from "../support/subject.js";

officialSuite(local);
