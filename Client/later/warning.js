// SPDX-License-Identifier: MIT

const HOUR = 3_600_000;

/** When the console may be warned again: a page in production is no place to write much. */
let mayWarn = 0;

/**
 * Warns in the console of what a server refused, once an hour at most.
 * @param {import("../root.js").Root} root
 * @param {import("../types").Problem} problem
 */
export function warn({ model, isDeveloped }, { detail, title, type }) {
  // In development each refusal is in the console by itself.
  if (isDeveloped || Date.now() < mayWarn) return;
  mayWarn = Date.now() + HOUR;
  console.warn(`Euripus: ${model}: ${detail ?? title ?? type}`);
}
