export { ReplicatedSaver } from "./saver.js";
export type { ReplicatedSaverOptions } from "./options.js";
export type { ResyncOptions } from "./resync.js";
export type {
  CopyCounts,
  ReplicationEvent,
  ReplicationMode,
  ReplicationStatus,
  ResyncReport,
  SideName,
  SideState,
  SideStatus,
} from "./status.js";
