export { contractSuite, type ContractSubject } from "./contract/index.js";
export { graphSuite } from "./graphs/index.js";
export { modelSuite } from "./model/index.js";
export { officialSuite } from "./official.js";
export type { SaverUnderTest } from "./saver-under-test.js";
