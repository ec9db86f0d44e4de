export { modelSuite } from "./model/index.js";
export { officialSuite } from "./official.js";
export type { SaverUnderTest } from "./saver-under-test.js";
