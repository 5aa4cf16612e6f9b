// SPDX-License-Identifier: MIT
// The parameters that a session is opened with: `data-vm-params-NAME`, and `data-vm-params` for all at once
// (CLIENT.md, "Parameters").
import { warnOf } from "./console.js";

const PREFIX = "vmParams";

/**
 * The parameters of a root, as its attributes have them: each under its name in `dataset`.
 * @param {HTMLElement} element
 */
export const paramsOf = ({ dataset }) => Object.entries(dataset).filter(([name]) => name.startsWith(PREFIX));

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
  for (const [name, text = ""] of given.sort(([a], [b]) => a.length - b.length)) {
    try {
      const value = text[0] === "=" ? JSON.parse(text.slice(1)) : text;
      const own = name.slice(PREFIX.length);
      if (own) params[own[0].toLowerCase() + own.slice(1)] = value;
      else Object.assign(params, value);
    } catch (error) {
      const attribute = "data-" + name.replace(/[A-Z]/g, (each) => "-" + each.toLowerCase());
      warnOf(root, element, attribute, /** @type {Error} */ (error));
    }
  }
  return params;
}
