/** A target that cannot be judged because it cannot be had: the message says what to do. */
export class TargetError extends Error {
  override readonly name = "TargetError";
}
