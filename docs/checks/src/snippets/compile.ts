import { fileURLToPath } from "node:url";
import ts from "typescript";

import type { SnippetModule } from "./modules.js";

const CONFIG = fileURLToPath(new URL("../../tsconfig.json", import.meta.url));

/** What the compiler has to say of each module, with places on the pages. */
export function compile(modules: SnippetModule[]): Map<SnippetModule, string[]> {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const { options } = ts.getParsedCommandLineOfConfigFile(CONFIG, {}, host)!;
  const program = ts.createProgram(
    modules.map(({ file }) => file),
    // An excerpt may well leave something unused.
    { ...options, noUnusedLocals: false, noUnusedParameters: false },
  );
  return new Map(
    modules.map((module) => {
      const source = program.getSourceFile(module.file);
      return [module, ts.getPreEmitDiagnostics(program, source).map((found) => describe(module, found))];
    }),
  );
}

function describe({ snippet, before }: SnippetModule, { file, start, messageText }: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(messageText, "\n");
  const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line - before;
  if (line < 0) return `docs/checks/snippets/${snippet.setting}.ts:${line + before + 1}: ${text}`;
  return `${snippet.block.page}:${snippet.block.line + line}: ${text}`;
}
