/** One step of a path: a property, an index, or `null` for a level that exists only in the stored form. */
export type PathStep = string | number | null;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

export function formatPath(steps: readonly PathStep[]): string {
  let path = "$";
  for (const step of steps) {
    if (step === null) continue;
    if (typeof step === "number") path += `[${step}]`;
    else path += IDENTIFIER.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  }
  return path;
}

/**
 * A value that cannot be stored. It names the place and the reason, never the value: state may hold secrets and
 * messages end up in logs.
 */
export class UnserializableError extends Error {
  readonly path: string;
  readonly reason: string;

  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`Cannot serialize ${path}: ${reason}`, options);
    this.name = "UnserializableError";
    this.path = path;
    this.reason = reason;
  }
}
