import { officialSuite } from "@langgraph-savers/test";

import { fileSubject } from "../subject.js";

officialSuite(fileSubject("FileSaver", {}));
