import { InvalidInputError } from "../errors.js";
import type { SaverOptions } from "./options.js";

/** The options that a saver has beside those of every saver. The compiler holds the list complete. */
export type OwnOptionNames<Options extends SaverOptions> = Record<
  Exclude<keyof Options, keyof SaverOptions>,
  true
>;

const SHARED: Record<keyof SaverOptions, true> = {
  serde: true,
  compression: true,
  encryption: true,
  cacheBytes: true,
  onStaleParent: true,
};

/**
 * Refuses what is no option of the saver. A misspelt `encryption` would else store everything in the clear, and types
 * find no typing error in plain JavaScript or in options that were put together elsewhere.
 */
export function checkOptionNames<Options extends SaverOptions>(
  saver: string,
  options: Options,
  own: OwnOptionNames<Options>,
): void {
  refuseOtherNames(saver, options, Object.keys({ ...own, ...SHARED }));
}

/** The same for any object with options: refuses names that are not in `known`. `saver` says whose they are. */
export function refuseOtherNames(saver: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null)
    throw new InvalidInputError(
      "INVALID_OPTION",
      `Invalid option: the options of ${saver} must be an object.`,
    );
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.includes(name)) continue;
    const list = known.map((each) => `\`${each}\``).join(", ");
    throw new InvalidInputError(
      "INVALID_OPTION",
      `Invalid option: ${saver} has no option ${JSON.stringify(name)}. It has ${list}.`,
    );
  }
}
