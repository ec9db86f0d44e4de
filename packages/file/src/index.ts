export { FileSaver } from "./file-saver.js";
export type { Durability, FileSaverOptions } from "./options.js";
