export { MongoDBSaver, type MongoDBUriOptions, type SetupOptions } from "./saver.js";
export type { MongoDBOptions, MongoDBSaverParams } from "./options.js";
export { migrateFromOfficial, type MigrationCounts, type MigrationOptions } from "./migrate/migrate.js";
export type { OfficialLocation } from "./migrate/official-source.js";
