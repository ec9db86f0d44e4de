import type { SubjectId } from "../subjects/registry.js";
import type { Place } from "../subjects/subject.js";

/** Open the data, read the chat's state, go on for some turns. */
export interface ChildTask {
  subject: SubjectId;
  place: Place;
  turns: number;
  messageBytes: number;
}

/** Times are milliseconds since the process was started. */
export interface ChildReport {
  /** Messages that were there already. */
  found: number;
  /** LangGraph was loaded, nothing of the saver yet. */
  libraries: number;
  state: number;
  /** The turns were done. */
  end: number;
  /** Bytes of memory at the peak, over what the libraries took. */
  rss: number;
}
