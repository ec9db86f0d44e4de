export { doctor } from "../doctor/command.js";
