import { graphSuite } from "@langgraph-savers/test";

import { dynalite } from "../support/subject.js";

graphSuite(dynalite);
