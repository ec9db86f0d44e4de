#!/usr/bin/env node
// Here before the first build, so that the command is linked by the install.
await import(new URL("../dist/main.mjs", import.meta.url).href);
