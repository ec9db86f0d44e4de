/**
 * The order of ids: by Unicode code point, which is the order of their UTF-8 bytes and so that of every database.
 * JavaScript's `<` differs from it where a surrogate pair meets a character from U+E000 on.
 */
export function compareIds(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates, which stand for the code points above all others, after the rest. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
