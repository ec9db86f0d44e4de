const WORDS =
  "the a of to and in that it is was for on are as with his they at be this from have or by one had not but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than first been its who now people my made over did down only way find use may water long little very after words called just where most know".split(
    " ",
  );

/** Words, as chats are made of; the same for the same seed. Compress to about a half. */
export function words(length: number, seed: number): string {
  const next = numbers(seed);
  const parts: string[] = [];
  for (let size = 0; size < length;) {
    const number = next();
    const part = `${WORDS[number % WORDS.length]}${number % 7 === 0 ? number % 1000 : ""} `;
    parts.push(part);
    size += part.length;
  }
  return parts.join("").slice(0, length);
}

/** Letters and digits that neither repeat nor compress to much less. */
export function noise(length: number, seed: number): string {
  const next = numbers(seed);
  const parts: string[] = [];
  for (let size = 0; size < length;) {
    const part = next().toString(36);
    parts.push(part);
    size += part.length;
  }
  return parts.join("").slice(0, length);
}

function numbers(seed: number): () => number {
  let state = (seed + 1) * 2_654_435_761;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
}
