// SPDX-License-Identifier: MIT
import { load } from "../loading.js";

/**
 * A directive that few pages have. Its module is loaded when the client meets its attribute. The directive then
 * learns the value that the session began with.
 * @param {string} name of the module `euripus-NAME.js` beside this one
 * @returns {import("../part.js").Directive}
 */
export const later = (name) => (node, binding) => {
  const { part, at } = binding;
  /** @type {import("../part.js").Binding["first"]} */
  let first;
  const end = part.onState(() => {
    const { url } = part.root.session;
    if (first?.url !== url) first = { url, value: at() };
  });
  load(name, ({ directive }) => {
    end();
    part.cleanups?.push(directive(node, { ...binding, first }));
  });
};
