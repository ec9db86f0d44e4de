import { storeSuite } from "@langgraph-savers/test";

import { subject } from "../support/subject.js";

storeSuite(subject("driver 7"));
storeSuite(subject("driver 6"));
