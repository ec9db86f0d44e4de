import type { ConformanceErrorCode } from "./error-codes.js";

/** A mistake in how the kit is used, found before any scenario is tried. */
export class ConformanceError extends Error {
  override readonly name = "ConformanceError";

  constructor(
    readonly code: ConformanceErrorCode,
    message: string,
  ) {
    super(`[@langgraph-savers/conformance] ${message}`);
  }
}

/** Thrown inside a scenario that turns out not to apply: it is reported as skipped, with this reason. */
export class NotAvailable extends Error {
  override readonly name = "NotAvailable";
}
