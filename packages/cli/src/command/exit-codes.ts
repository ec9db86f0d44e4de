export const OK = 0;
/** The command did its work, and the answer is no: not there, not the same, not intact. */
export const NEGATIVE = 1;
/** The command could not be carried out. */
export const FAILED = 2;
export const INTERRUPTED = 130;

/** For every `--help`. Fits 80 columns. */
export const EXIT_CODES = `Exit code: 0 if all is well, 1 if the answer is no (not found, not the same, not
intact), 2 if the command could not be carried out, 130 after Ctrl-C.
`;
