import { storeSuite } from "@langgraph-savers/test";

import { fileSubject } from "../subject.js";

storeSuite(fileSubject("FileSaver", {}));
storeSuite(fileSubject('FileSaver, durability "group"', { durability: "group" }));
