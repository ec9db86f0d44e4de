import { modelSuite } from "@langgraph-savers/test";

import { subject } from "../support/subject.js";

// Each run is up to 40 calls to a real server.
modelSuite(subject("driver 7"), { runs: 40 });
modelSuite(subject("driver 6"), { runs: 20 });
