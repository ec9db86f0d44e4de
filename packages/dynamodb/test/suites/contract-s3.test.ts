import { contractSuite } from "@langgraph-savers/test";

import { withS3 } from "../support/subject.js";

contractSuite(withS3);
