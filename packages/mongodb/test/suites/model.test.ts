import { modelSuite } from "@langgraph-savers/test";

import { subject } from "../support/subject.js";

modelSuite(subject("driver 7"));
modelSuite(subject("driver 6"));
