import { officialSuite } from "@langgraph-savers/test";

import { withS3 } from "../support/subject.js";

officialSuite(withS3);
