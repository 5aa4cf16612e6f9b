// SPDX-License-Identifier: MIT
import { load } from "../loading.js";

/**
 * A directive that few pages have: its module is loaded where its attribute is met, and learns which value the session began with.
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
