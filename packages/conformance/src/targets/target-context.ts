/** Where a target is loaded, and what it may use. */
export interface TargetContext {
  /** Paths and packages are looked up from here. */
  folder: string;
  /** A folder for files, of this run alone; whoever started the run removes it. */
  scratch: string;
  env: NodeJS.ProcessEnv;
}
