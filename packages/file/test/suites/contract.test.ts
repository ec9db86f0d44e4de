import { contractSuite } from "@langgraph-savers/test";

import { fileSubject } from "../subject.js";

contractSuite(fileSubject("FileSaver", {}));
