/** A module or package that cannot be had: the message says what to do. */
export class LoadError extends Error {
  override readonly name = "LoadError";
}
