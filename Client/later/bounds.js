// SPDX-License-Identifier: MIT
import { setAttribute } from "../directives/showing.js";
import { has } from "../values.js";

/**
 * The bounds of a field that its input may have as attributes. Nothing else that the server says becomes an
 * attribute.
 */
const BOUNDS = ["required", "minlength", "maxlength", "min", "max", "pattern"];

/**
 * Shows the bounds of a `data-vm-field` as attributes of its input, for the person and for styles.
 * @type {import("../part.js").Directive}
 */
export const directive = (node, { part, at, names }) =>
  part.onState(() => {
    const bounds = at()?.bounds;
    for (const name of BOUNDS) if (has(bounds, name)) setAttribute(node, bounds[name], name);
  }, names);
