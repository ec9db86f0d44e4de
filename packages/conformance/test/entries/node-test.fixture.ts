import { conformanceSuite } from "../../src/entries/node-test.js";
import { target } from "./target.js";

conformanceSuite(target);
