import { officialSuite } from "@langgraph-savers/test";

import { dynalite } from "../support/subject.js";

officialSuite(dynalite);
