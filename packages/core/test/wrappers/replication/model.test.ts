import { modelSuite } from "@langgraph-savers/test";

import { readFromSecondary } from "./subject.js";

modelSuite(readFromSecondary("sync"), { runs: 50 });
modelSuite(readFromSecondary("async"), { runs: 50 });
