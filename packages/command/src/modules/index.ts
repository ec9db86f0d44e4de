export { defaultExports, isClass, isObject, isSaver } from "./exports.js";
export { importFile } from "./import-file.js";
export { importInstalled, installedFolder, messageOf } from "./import-installed.js";
export { LoadError } from "./load-error.js";
