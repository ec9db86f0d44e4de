import type { Reporter } from "./reporter.js";

/** The reports as they are, with what the command noticed around each. */
export const json: Reporter = ({ runs, version }) =>
  `${JSON.stringify({ version, reports: runs.map(({ report, notes }) => ({ ...report, notes })) }, undefined, 2)}\n`;
