// SPDX-License-Identifier: MIT
// A page that has nothing of the user's any more (CLIENT.md, "Users").
import { unmarkRefused } from "./refused.js";

/** @typedef {import("./root.js").Root} Root */

/**
 * Takes all that was shown and typed off the page.
 * @param {Root} root
 */
export function clear(root) {
  const { element, fields } = root;
  fields.composing = undefined;
  fields.edited.clear();
  root.tree = {};
  for (const field of fields.all) {
    const { type, dataset, defaultValue = "", defaultChecked } = field.node;
    clearTimeout(field.timer);
    unmarkRefused(field);
    field.timer = undefined;
    field.engaged = false;
    field.touched = "vmField" in dataset;
    fields.write(field, /checkbox|radio/.test(type) ? defaultChecked : defaultValue);
  }
  root.render();
  root.tree = undefined;
  delete element.dataset.vmReady;
}
