// SPDX-License-Identifier: MIT
// All tests in one process: a process for each file would load jsdom two dozen times.
import { readdirSync } from "node:fs";

for (const name of readdirSync(new URL(".", import.meta.url)).sort()) {
  if (name.endsWith(".test.mjs")) await import(`./${name}`);
}
