// SPDX-License-Identifier: MIT
// The parameters that a session is opened with: `data-vm-params-NAME`, and `data-vm-params` for all at once
// (CLIENT.md, "Parameters").

import { paramsOf } from "../kept.js";
import { load } from "../loading.js";

const PREFIX = "vmParams";

/**
 * @param {import("../root.js").Root} root
 * @returns {Record<string, any>} without those that are no JSON, of which the console warns
 */
export function read(root) {
  const { element } = root;
  /** @type {Record<string, any>} */
  const params = {};
  // `data-vm-params` comes first: a parameter by itself counts more, wherever it stands.
  for (const [name, text = ""] of paramsOf(element).sort(([a], [b]) => a.length - b.length)) {
    try {
      const value = text[0] === "=" ? JSON.parse(text.slice(1)) : text;
      const own = name.slice(PREFIX.length);
      if (own) params[own.charAt(0).toLowerCase() + own.slice(1)] = value;
      else Object.assign(params, value);
    } catch (error) {
      const attribute = "data-" + name.replace(/[A-Z]/g, (each) => "-" + each.toLowerCase());
      load("warning", ({ warnOf }) => warnOf(root, element, attribute, error));
    }
  }
  return params;
}
