// SPDX-License-Identifier: MIT

const HOUR = 3_600_000;

/** When the console may be warned again: a page in production is no place to write much. */
let mayWarn = 0;

/**
 * Warns in the console of a request that a server refused, or of a fault of the page, once an hour at most.
 * @param {import("../root.js").Root} root
 * @param {import("../types").Problem} problem
 */
export function warn({ model, isDeveloped }, { detail, title, type }) {
  // In development each is in the console by itself.
  if (isDeveloped || Date.now() < mayWarn) return;
  mayWarn = Date.now() + HOUR;
  console.warn(`Euripus: ${model}: ${detail ?? title ?? type}`);
}

/**
 * Warns of an attribute that cannot be, in the same way: each row of a list has it.
 * @param {import("../root.js").Root} root
 * @param {Element} node
 * @param {string} name the attribute's
 * @param {Error} error
 */
export function warnOf(root, node, name, { message }) {
  warn(root, { detail: `${name}="${node.getAttribute(name)}" on <${node.localName}>: ${message}` });
}
