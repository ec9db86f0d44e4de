/** A checkpoint to draw; they come newest first. */
export interface TreeNode {
  id: string;
  parentId: string | undefined;
}

export interface TreeLine<Node> {
  /** The rails, with the node's mark among them. */
  rails: string;
  /** Absent on lines that only lead a branch back to where it began. */
  node?: Node;
}

/**
 * Draws a history as rails: each checkpoint is a mark on the rail of its branch, and a branch runs into the checkpoint
 * that it was forked from.
 */
export function drawTree<Node extends TreeNode>(nodes: readonly Node[]): TreeLine<Node>[] {
  const lines: TreeLine<Node>[] = [];
  const drawn = new Set<string>();
  /** The checkpoint that each rail leads to. */
  let rails: (string | undefined)[] = [];
  for (const node of nodes) {
    const waiting = rails.flatMap((id, at) => (id === node.id ? [at] : []));
    const own = waiting[0] ?? freeRail(rails);
    const joining = waiting.slice(1);
    if (joining.length > 0) {
      lines.push({ rails: joinLine(rails, own, joining) });
      for (const at of joining) rails[at] = undefined;
    }
    rails[own] = node.id;
    lines.push({ rails: rails.map((id, at) => mark(id, at === own)).join(" "), node });
    drawn.add(node.id);
    // A parent that was drawn already has a greater id than its child: the rail has nowhere to go.
    const parent = node.parentId;
    rails[own] = parent !== undefined && !drawn.has(parent) ? parent : undefined;
    rails = withoutEmptyEnd(rails);
  }
  return lines;
}

function freeRail(rails: readonly (string | undefined)[]): number {
  const free = rails.indexOf(undefined);
  return free === -1 ? rails.length : free;
}

function mark(id: string | undefined, isOwn: boolean): string {
  if (isOwn) return "●";
  return id === undefined ? " " : "│";
}

/** `├─┴─╯`: the joining rails end in the own one, and cross those between. */
function joinLine(rails: readonly (string | undefined)[], own: number, joining: readonly number[]): string {
  const last = Math.max(...joining);
  let line = "";
  for (let at = 0; at < rails.length; at++) {
    const isActive = rails[at] !== undefined;
    if (at === own) line += "├";
    else if (at > own && at < last) line += joining.includes(at) ? "┴" : isActive ? "┼" : "─";
    else if (at === last) line += "╯";
    else line += isActive ? "│" : " ";
    line += at >= own && at < last ? "─" : " ";
  }
  return line.trimEnd();
}

function withoutEmptyEnd(rails: readonly (string | undefined)[]): (string | undefined)[] {
  const last = rails.findLastIndex((id) => id !== undefined);
  return rails.slice(0, last + 1);
}
