// SPDX-License-Identifier: MIT
// `data-vm-bind` and `data-vm-field`: inputs that are bound both ways.
import { writes } from "../targets.js";
import { has } from "../values.js";
import { setAttribute } from "./showing.js";

/** The bounds of a field that its input may have as attributes: never another name, whatever the server says. */
const BOUNDS = ["required", "minlength", "maxlength", "min", "max", "pattern"];

/** @type {import("../part.js").Directive} */
export const bind = (node, { part, at, names }) => {
  const { vmError } = node.dataset;
  return part.root.fields.add(node, at, writes(names), { error: vmError && part.reader(vmError) });
};

/** @type {import("../part.js").Directive} */
export const field = (node, { part, at, names }) => {
  part.onState(() => {
    const bounds = at()?.bounds;
    for (const name of BOUNDS) if (has(bounds, name)) setAttribute(node, bounds[name], name);
  });
  // Whether it is touched is for the server to say, whose error is null before.
  const more = { error: () => at()?.error, touched: true };
  return part.root.fields.add(node, () => at()?.value, writes([...names, "value"]), more);
};
