import { contractSuite } from "@langgraph-savers/test";

import { dynalite } from "../support/subject.js";

contractSuite(dynalite);
