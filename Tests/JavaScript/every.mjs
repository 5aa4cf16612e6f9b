// SPDX-License-Identifier: MIT
// All tests in one process: a process for each file would load jsdom two dozen times.
import { readdirSync } from "node:fs";

const names = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".test.mjs")).sort();
if (names.length === 0) throw new Error("no *.test.mjs in Tests/JavaScript");
for (const name of names) await import(`./${name}`);
