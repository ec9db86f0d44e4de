import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

import { ROOT } from "../markdown/pages.js";

/** Something that a package exports, with all of its declarations (a function may have several). */
export interface Exported {
  name: string;
  declarations: ts.Declaration[];
}

/** What one entry of a package's `exports` gives. */
export interface Entry {
  /** `@langgraph-savers/conformance/vitest`. */
  specifier: string;
  exported: Exported[];
}

/**
 * What the users of each package can import, as its built types have it: without what is private, and with types that are
 * inferred in the source.
 */
export function entriesOf(folders: readonly string[]): Map<string, Entry[]> {
  const files = new Map(folders.map((folder) => [folder, typesOf(folder)]));
  const program = ts.createProgram(
    [...files.values()].flat().map(({ file }) => file),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, skipLibCheck: true, noEmit: true },
  );
  return new Map(
    [...files].map(([folder, of]) => {
      return [folder, of.map(({ specifier, file }) => ({ specifier, exported: exportsOf(program, file) }))];
    }),
  );
}

function typesOf(folder: string): { specifier: string; file: string }[] {
  const manifest = JSON.parse(readFileSync(`${ROOT}packages/${folder}/package.json`, "utf8")) as Manifest;
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (typeof target === "string") return [];
    const file = fileURLToPath(new URL(target.import.types, `file://${ROOT}packages/${folder}/`));
    return [{ specifier: manifest.name + subpath.slice(1), file }];
  });
}

interface Manifest {
  name: string;
  exports: Record<string, string | { import: { types: string } }>;
}

function exportsOf(program: ts.Program, file: string): Exported[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  if (source === undefined) throw new Error(`There is no ${file}: build the packages first.`);
  const module = checker.getSymbolAtLocation(source)!;
  return checker.getExportsOfModule(module).map((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const declarations = target.declarations ?? [];
    if (declarations.length === 0) throw new Error(`${file}: ${symbol.name} has no declaration`);
    return { name: symbol.name, declarations };
  });
}
