import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export function bytesIn(folder: string, except: readonly string[] = []): number {
  let total = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (except.includes(entry.name)) continue;
    const path = join(folder, entry.name);
    total += entry.isDirectory() ? bytesIn(path, except) : statSync(path).size;
  }
  return total;
}
