// SPDX-License-Identifier: MIT
import { readFileSync } from "node:fs";

const source = readFileSync(new URL("../../Public/euripus.js", import.meta.url), "utf8").replace(/^export /gm, "");
const run = new Function("world", `with (world) (() => { "use strict"; ${source} })();`);

/** Runs the file itself as a page's module would, with a world of the test's own where the browser has its globals. */
export const start = (world) => run(world);
