// SPDX-License-Identifier: MIT
// `data-vm-bind` and `data-vm-field`: inputs that are bound both ways.
import { writes } from "../targets.js";
import { later } from "./later.js";

/** @type {import("../part.js").Directive} */
export const bind = (node, { part, at, names }) => {
  const { vmError } = node.dataset;
  return part.root.fields.add(node, at, writes(names), { error: vmError && part.reader(vmError) });
};

/** @type {import("../part.js").Directive} */
export const field = (node, binding) => {
  const { part, at, names } = binding;
  later("bounds")(node, binding);
  // The server knows whether the field is touched: until then `error` is null.
  const more = { error: () => at()?.error, touched: true };
  return part.root.fields.add(node, () => at()?.value, writes([...names, "value"]), more);
};
