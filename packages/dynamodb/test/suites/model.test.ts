import { modelSuite } from "@langgraph-savers/test";

import { local, withS3 } from "../support/subject.js";

modelSuite(local, { runs: 60 });
modelSuite(withS3, { runs: 10 });
