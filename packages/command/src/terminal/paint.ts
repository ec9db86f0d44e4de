/** The basic yellow and cyan can hardly be read on white: these are of a brightness between white and black. */
const codes = {
  bold: ["1", "22"],
  dim: ["2", "22"],
  red: ["31", "39"],
  green: ["32", "39"],
  yellow: ["38;5;166", "39"],
  cyan: ["38;5;31", "39"],
} as const;

export type Colour = keyof typeof codes;
export type Paint = Record<Colour, (text: string) => string>;

/** Colours, or none: the same calls either way. */
export function paints(colour: boolean): Paint {
  const paint = (name: Colour) => (text: string) => {
    const [on, off] = codes[name];
    return colour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
  return {
    bold: paint("bold"),
    dim: paint("dim"),
    red: paint("red"),
    green: paint("green"),
    yellow: paint("yellow"),
    cyan: paint("cyan"),
  };
}
