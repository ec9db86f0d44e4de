import { fileURLToPath } from "node:url";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const BUDGET = at("../budget.json");
/** Of the last run; not kept in the repository. */
export const OUT = at("../out/");
export const OUT_RESULTS = at("../out/results.json");
export const OUT_REPORT = at("../out/report.html");
/** What the README's figures come from. */
export const PUBLISHED = at("../results/full.json");
export const PLOTS = at("../plots/");
export const README = at("../../README.md");
