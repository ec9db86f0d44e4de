import { storeSuite } from "@langgraph-savers/test";
import { describe } from "vitest";

import { failing, indexedWithS3, local } from "../support/subject.js";

// Each case has threads of its own.
describe.concurrent("at once", () => {
  storeSuite(local);
  storeSuite(indexedWithS3);
  storeSuite(failing);
});
