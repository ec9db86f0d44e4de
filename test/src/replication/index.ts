export { contentOf, listAll, pause, randomOf, ThreadWriter, type Random } from "./load.js";
