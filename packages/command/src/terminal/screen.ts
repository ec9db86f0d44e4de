import type { WriteStream } from "node:tty";

type Output = NodeJS.WriteStream & Partial<Pick<WriteStream, "hasColors">>;

/** How wide a screen is, and whether it shows colours. */
export interface Style {
  columns: number;
  colour: boolean;
}

const DEFAULT_COLUMNS = 80;
const FEWEST_COLUMNS = 40;

/** How to write to a stream: its width, and colours where it shows them and nobody objects. */
export function styleOf(stream: Output, env: NodeJS.ProcessEnv): Style {
  return { columns: columnsOf(stream, env), colour: hasColour(stream, env) };
}

function columnsOf(stream: Output, env: NodeJS.ProcessEnv): number {
  const columns = stream.columns ?? Number(env["COLUMNS"] ?? "");
  return columns > 0 ? Math.max(FEWEST_COLUMNS, Math.floor(columns)) : DEFAULT_COLUMNS;
}

/** NO_COLOR before FORCE_COLOR: who cannot read colours must be able to say so once. */
function hasColour(stream: Output, env: NodeJS.ProcessEnv): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return stream.isTTY && stream.hasColors();
}
