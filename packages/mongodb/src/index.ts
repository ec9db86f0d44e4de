export { MongoDBSaver, type MongoDBUriOptions, type SetupOptions } from "./saver.js";
export type { MongoDBOptions, MongoDBSaverParams } from "./options.js";
