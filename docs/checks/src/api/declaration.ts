import ts from "typescript";

export type Kind = "Classes" | "Functions" | "Values" | "Types";

export function kindOf(declaration: ts.Declaration): Kind {
  if (ts.isClassDeclaration(declaration)) return "Classes";
  if (ts.isFunctionDeclaration(declaration)) return "Functions";
  return ts.isVariableDeclaration(declaration) ? "Values" : "Types";
}

/** The declaration as its users see it: no private members, no `declare`, and not the comment above it. */
export function codeOf(declaration: ts.Declaration): string {
  if (ts.isVariableDeclaration(declaration)) return `const ${declaration.getText()};`;
  const whole = declaration.getText();
  const start = declaration.getStart();
  // From the end, so that the places of what comes before stay as they are.
  const text = hiddenMembers(declaration)
    .toReversed()
    .reduce((kept, member) => {
      return kept.slice(0, member.getFullStart() - start) + kept.slice(member.getEnd() - start);
    }, whole);
  return text.replace(/^(?:export |declare )+/, "");
}

function hiddenMembers(declaration: ts.Declaration): ts.ClassElement[] {
  if (!ts.isClassDeclaration(declaration)) return [];
  return declaration.members.filter(({ name }, at) => {
    const flags = ts.getCombinedModifierFlags(declaration.members[at]!);
    return (name !== undefined && ts.isPrivateIdentifier(name)) || (flags & ts.ModifierFlags.Private) !== 0;
  });
}

/** What the comment above a declaration says, and its examples. */
export function commentOf(declaration: ts.Declaration): { text: string; examples: string[] } {
  const parts = ts.getJSDocCommentsAndTags(commented(declaration)).filter(ts.isJSDoc);
  const doc = parts.at(-1);
  const examples = (doc?.tags ?? []).filter(({ tagName }) => tagName.text === "example");
  return { text: textOf(doc?.comment), examples: examples.map(({ comment }) => textOf(comment)) };
}

function commented(declaration: ts.Declaration): ts.Node {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
}

function textOf(comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string {
  return (ts.getTextOfJSDocComment(comment) ?? "").replaceAll(/\{@link(?:code)? ([^}]+)\}/g, "`$1`").trim();
}

/** Members that readers choose values for, and that have no comment. */
export function uncommentedMembers(declaration: ts.Declaration): string[] {
  if (!ts.isInterfaceDeclaration(declaration)) return [];
  return declaration.members.flatMap((member) => {
    const isCommented = ts.getJSDocCommentsAndTags(member).some(ts.isJSDoc);
    return isCommented || member.name === undefined ? [] : [member.name.getText()];
  });
}

/** The names of types that a declaration speaks of. */
export function namesIn(declaration: ts.Declaration): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node)) names.add(node.typeName.getText());
    if (ts.isExpressionWithTypeArguments(node)) names.add(node.expression.getText());
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  return names;
}
