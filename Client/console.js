// SPDX-License-Identifier: MIT
// The console: one warning an hour at most in production, and help in development.

const HOUR = 3_600_000;

/** The time from which the console may be warned again: a page in production is no place to write much. */
let mayWarn = 0;

/**
 * Warns in the console of a request that a server refused, or of a fault of the page, once an hour at most.
 * @param {import("./root.js").Root} root
 * @param {import("./types").Problem} problem
 */
export function warn({ model, isDeveloped }, { detail, title }) {
  // In development the console has each of them anyway.
  if (isDeveloped || Date.now() < mayWarn) return;
  mayWarn = Date.now() + HOUR;
  console.warn(`Euripus: ${model}: ${detail ?? title}`);
}

/**
 * Warns of a faulty attribute, once an hour at most as well, as each row of a list has it.
 * @param {import("./root.js").Root} root
 * @param {Element} node
 * @param {string} name the attribute's name
 * @param {Error} error
 */
export function warnOf(root, node, name, { message }) {
  warn(root, { detail: `${name}="${node.getAttribute(name)}" on <${node.localName}>: ${message}` });
}

/**
 * Has the console help the page's developer, as a server in development asks for with an answer.
 * @param {import("./root.js").Root} root
 * @param {import("./types").Answer} answer
 * @param {import("./types").Request} [request]
 */
export function help(root, answer, request) {
  // A file beside this one, for which no page in production asks.
  const file = "./euripus-develop.js";
  import(file).then(({ develop }) => develop(root, answer, request));
}
