import { contractSuite } from "@langgraph-savers/test";

import { subject } from "../support/subject.js";

contractSuite(subject("driver 7"));
contractSuite(subject("driver 6"));
