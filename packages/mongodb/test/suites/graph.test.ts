import { graphSuite } from "@langgraph-savers/test";

import { subject } from "../support/subject.js";

graphSuite(subject("driver 7"));
graphSuite(subject("driver 6"));
