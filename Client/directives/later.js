// SPDX-License-Identifier: MIT
import { load } from "../loading.js";

/**
 * A directive that few pages have: its module is loaded where its attribute is met.
 * @param {string} name of the module `euripus-NAME.js` beside this one
 * @returns {import("../part.js").Directive}
 */
export const later = (name) => (node, binding) => {
  let isOver = false;
  /** @type {(() => void) | void} */
  let cleanup;
  load(name, ({ directive }) => {
    if (!isOver) cleanup = directive(node, binding);
  });
  return () => {
    isOver = true;
    cleanup?.();
  };
};
