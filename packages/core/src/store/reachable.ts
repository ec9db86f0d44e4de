/**
 * All chunks that can be reached from these: themselves, and what index chunks among them list. `listed` gives what an
 * index chunk lists, and undefined for every other.
 */
export function reachable(
  hashes: Iterable<string>,
  listed: (hash: string) => readonly string[] | undefined,
): Set<string> {
  const found = new Set<string>();
  const open = [...hashes];
  for (let hash = open.pop(); hash !== undefined; hash = open.pop()) {
    if (found.has(hash)) continue;
    found.add(hash);
    open.push(...(listed(hash) ?? []));
  }
  return found;
}
