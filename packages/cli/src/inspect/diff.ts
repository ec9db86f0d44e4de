/** One place where two values differ; `before` or `after` is absent where only the other has it. */
export interface Change {
  /** `messages[2].content` */
  path: string;
  before?: unknown;
  after?: unknown;
}

/** What changed between two plain values, at the deepest place that says it. */
export function diff(before: unknown, after: unknown, path = ""): Change[] {
  if (isSame(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return diffLists(before, after, path);
  if (isRecord(before) && isRecord(after)) return diffRecords(before, after, path);
  return [{ path, before, after }];
}

function diffRecords(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  path: string,
): Change[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key): Change[] => {
    const place =
      path === "" ? nameOf(key) : /^[a-z_$][\w$]*$/i.test(key) ? `${path}.${key}` : `${path}[${nameOf(key)}]`;
    if (!Object.hasOwn(before, key)) return [{ path: place, after: after[key] }];
    if (!Object.hasOwn(after, key)) return [{ path: place, before: before[key] }];
    return diff(before[key], after[key], place);
  });
}

/** Lists mostly grow at their end: what both begin and end with is the same, and what is between was replaced. */
function diffLists(before: readonly unknown[], after: readonly unknown[], path: string): Change[] {
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && isSame(before[head], after[head])) head++;
  let tail = 0;
  while (tail < shortest - head && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  const gone = before.slice(head, before.length - tail);
  const come = after.slice(head, after.length - tail);
  const changes: Change[] = [];
  for (let at = 0; at < Math.max(gone.length, come.length); at++) {
    const place = `${path}[${head + at}]`;
    if (at >= come.length) changes.push({ path: place, before: gone[at] });
    else if (at >= gone.length) changes.push({ path: place, after: come[at] });
    else if (isOneThing(gone[at], come[at])) changes.push(...diff(gone[at], come[at], place));
    else changes.push({ path: place, before: gone[at] }, { path: place, after: come[at] });
  }
  return changes;
}

/** Two messages with different ids are two messages, not one that changed; unless the id is all that did. */
function isOneThing(a: unknown, b: unknown): boolean {
  if (!isRecord(a) || !isRecord(b) || a["id"] === b["id"]) return true;
  return isSame({ ...a, id: undefined }, { ...b, id: undefined });
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, at) => isSame(each, b[at]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nameOf(key: string): string {
  return /^[\w$:.+-]+$/.test(key) ? key : JSON.stringify(key);
}
