// SPDX-License-Identifier: MIT
// The parameters that a session is opened with: `data-vm-params-NAME`, and `data-vm-params` for all at once
// (CLIENT.md, "Parameters").
import { warnOf } from "./console.js";
import { camel } from "./values.js";

const PREFIX = "data-vm-params";

/**
 * The parameters of a root: the names and texts of its attributes for them.
 * @param {Element} element
 */
export const paramsOf = ({ attributes }) =>
  [...attributes].filter(({ name }) => name.startsWith(PREFIX)).map(({ name, value }) => [name, value]);

/**
 * @param {import("./root.js").Root} root
 * @returns {Record<string, any> | undefined} without those that are no JSON, of which the console warns; undefined
 *   where the root has none
 */
export function readParams(root) {
  const { element } = root;
  const given = paramsOf(element);
  if (!given.length) return undefined;
  /** @type {Record<string, any>} */
  const params = {};
  // `data-vm-params` comes first: a parameter by itself counts more, wherever it stands.
  for (const [name, text] of given.sort(([a], [b]) => a.length - b.length)) {
    try {
      const value = text[0] === "=" ? JSON.parse(text.slice(1)) : text;
      const own = name.slice(PREFIX.length + 1);
      if (own) params[camel(own)] = value;
      else Object.assign(params, value);
    } catch (error) {
      warnOf(root, element, name, /** @type {Error} */ (error));
    }
  }
  return params;
}
