// Compacts one thread after the other until it is killed.
import { writeSync } from "node:fs";
import { FileSaver } from "@langgraph-savers/file";

const saver = new FileSaver(/** @type {string} */ (process.argv[2]));
writeSync(1, "ready\n");
for (let n = 0; ; n++) {
  await saver.compact(`thread/${n % 6}`);
  await new Promise((resolve) => setTimeout(resolve, 20));
}
