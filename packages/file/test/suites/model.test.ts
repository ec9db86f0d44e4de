import { modelSuite } from "@langgraph-savers/test";

import { fileSubject } from "../subject.js";

modelSuite(fileSubject("FileSaver", {}));
