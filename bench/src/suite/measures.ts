export type Unit = "ms" | "bytes" | "count" | "units";

export interface Measure {
  label: string;
  unit: Unit;
}

/** All that is measured. Less is better in every one. */
export const MEASURES = {
  time: { label: "time, median", unit: "ms" },
  p95: { label: "time, 95th percentile", unit: "ms" },
  last10: { label: "time of the last ten, median", unit: "ms" },
  cpu: { label: "processor time of the process, median", unit: "ms" },
  delay: { label: "longest block of the event loop, median", unit: "ms" },
  stored: { label: "bytes stored at the end", unit: "bytes" },
  disk: { label: "bytes on the server's disk, compressed by it", unit: "bytes" },
  written: { label: "bytes written or sent", unit: "bytes" },
  growth: { label: "bytes written: the last ten over the first ones", unit: "count" },
  requests: { label: "requests", unit: "count" },
  roundTrips: { label: "round trips, one after the other", unit: "count" },
  readUnits: { label: "read units", unit: "units" },
  writeUnits: { label: "write units", unit: "units" },
  getWarm: { label: "getTuple, warm", unit: "ms" },
  getCold: { label: "getTuple, cold saver", unit: "ms" },
  list50: { label: "list(50)", unit: "ms" },
  listCold: { label: "list(50), cold saver", unit: "ms" },
  history: { label: "whole history", unit: "ms" },
  past: { label: "state of a past checkpoint", unit: "ms" },
  fork: { label: "fork from a past checkpoint", unit: "ms" },
  firstTurn: { label: "first turn, with the huge value", unit: "ms" },
  processState: { label: "process start to state", unit: "ms" },
  processTurn: { label: "process start to the end of a turn", unit: "ms" },
  ownState: { label: "of which after LangGraph was loaded", unit: "ms" },
  rss: { label: "peak memory over that of the libraries", unit: "bytes" },
  opening: { label: "opening and reading one checkpoint", unit: "ms" },
  overEmpty: { label: "the same, over an empty one", unit: "ms" },
  load: { label: "load", unit: "ms" },
  dump: { label: "dump", unit: "ms" },
  import: { label: "import", unit: "ms" },
  install: { label: "installed, with what it depends on", unit: "bytes" },
  bundle: { label: "bundled and minified, LangChain left out", unit: "bytes" },
  bundleOwn: { label: "the same, the driver left out too", unit: "bytes" },
} as const satisfies Record<string, Measure>;

export type MeasureId = keyof typeof MEASURES;
