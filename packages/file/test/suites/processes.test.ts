import { leaseSuite, stressSuite } from "@langgraph-savers/test/processes";

import { sharedDirectory } from "../shared-directory.js";

stressSuite(sharedDirectory);
leaseSuite(sharedDirectory, 1_000);
