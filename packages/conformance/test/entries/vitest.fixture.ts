import { conformanceSuite } from "../../src/entries/vitest.js";
import { target } from "./target.js";

conformanceSuite(target);
