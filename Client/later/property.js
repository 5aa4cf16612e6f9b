// SPDX-License-Identifier: MIT
// `data-vm-prop-NAME`: a property of a custom element, or of any other.
import { showing } from "../directives/showing.js";
import { about } from "../problems.js";
import { refusedValue } from "../refusals.js";
import { camel } from "../values.js";

/** @type {import("../part.js").Directive} */
export const directive = showing((node, value, name) => {
  const property = camel(name);
  if (node[property] === value || refusedValue(property, value)) return;
  try {
    node[property] = value;
  } catch (error) {
    throw about(node, error);
  }
});
