import { randomBytes } from "node:crypto";

process.env["KEY"] = randomBytes(32).toString("base64");
