export { bar, BAR_WIDTH, ERASE_LINE } from "./bar.js";
export { paints, type Colour, type Paint } from "./paint.js";
export { printable } from "./printable.js";
export { styleOf, type Style } from "./screen.js";
export { displayWidth, padEnd, truncate, wrap } from "./text.js";
