import { graphSuite } from "@langgraph-savers/test";

import { fileSubject } from "../subject.js";

graphSuite(fileSubject("FileSaver", {}));
