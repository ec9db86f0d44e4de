export { start } from "./spawn.js";
export { leaseSuite } from "./leases.js";
export { stressSuite, type SharedStore } from "./stress.js";
