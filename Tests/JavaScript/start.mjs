// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const read = (name) => readFileSync(new URL(`../../Public/${name}`, import.meta.url), "utf8");

export const source = read("euripus.js");

/** A bundle as a function of its world that gives the module's exports. The exports stand at the bundle's end. */
function compile(source) {
  const [, body, exported] = /^(.*)export\s*\{([^}]*)\};?\s*(?:\/\/#[^\n]*\s*)?$/s.exec(source);
  const names = exported.split(",").map((each) => each.trim().split(" as ").reverse().join(": "));
  return new Function("world", `with (world) return (() => { "use strict"; ${body.replaceAll("import(", "load(")}; return { ${names} }; })();`);
}

const run = compile(source);
/** The files that the bundle loads. */
const others = Object.fromEntries(["develop", "conflict", "upload"].map((name) => [`./euripus-${name}.js`, compile(read(`euripus-${name}.js`))]));

/**
 * Runs the bundle as a page would, with the test's `world` in the place of the browser's globals. Gives its
 * exports.
 */
export function start(world) {
  const loaded = {};
  world.load = async (name) => (loaded[name] ??= others[name](world));
  return run(world);
}
