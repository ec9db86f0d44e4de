import { officialSuite } from "@langgraph-savers/test";

import { subject } from "../support/subject.js";

officialSuite(subject("driver 7"));
officialSuite(subject("driver 6"));
