import { modelSuite } from "@langgraph-savers/test";

import { fileSubject } from "../subject.js";

modelSuite(fileSubject("FileSaver", {}));
modelSuite(fileSubject("FileSaver, group durability", { durability: "group" }), { runs: 25 });
modelSuite(fileSubject("FileSaver, no durability", { durability: "none" }), { runs: 25 });
