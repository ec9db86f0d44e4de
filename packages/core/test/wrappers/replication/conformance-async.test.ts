import { conformanceSuite } from "@langgraph-savers/conformance/vitest";
import { conformanceTarget } from "@langgraph-savers/test";

import { replicated } from "./subject.js";

const target = conformanceTarget(replicated("async"));

// Any two savers are replicated, so that only what every saver has is there.
conformanceSuite({ ...target, capabilities: { ...target.capabilities, threads: false } });
