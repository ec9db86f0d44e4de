export { conformanceTarget } from "./conformance-target.js";
export { modelSuite } from "./model/index.js";
export { officialSuite } from "./official.js";
export type { SaverUnderTest } from "./saver-under-test.js";
export { storeSuite } from "./store/index.js";
