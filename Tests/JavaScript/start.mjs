// SPDX-License-Identifier: MIT
import { readFileSync } from "node:fs";

export const source = readFileSync(new URL("../../Public/euripus.js", import.meta.url), "utf8");
const names = ["applyPatch", "backoff", "evaluate", "mapSelection", "namesOf", "newer", "parsePath", "pointer", "refusedName", "refusedValue", "resolve", "textOf", "valueAt"];
const run = new Function("world", `with (world) return (() => { "use strict"; ${source}; return { ${names} }; })();`);

/** Runs the file itself as a page's module would, with a world of the test's own where the browser has its globals. */
export const start = (world) => run(world);

/** The functions in it that need no page. */
export const pure = run({ document: { querySelectorAll: () => [] } });
