// SPDX-License-Identifier: MIT
// `data-vm-bind` and `data-vm-field`: inputs that are bound both ways.
import { parsePath, resolve } from "../paths.js";
import { writes } from "../targets.js";
import { has } from "../values.js";
import { setAttribute } from "./showing.js";

/** @typedef {import("../part.js").Binding} Binding */

/**
 * The bounds of a field that its input may have as attributes, for the person and for styles. Nothing else that the
 * server says becomes an attribute.
 */
const BOUNDS = ["required", "minlength", "maxlength", "min", "max", "pattern"];

/**
 * Has a field looked at with each state that may have another value or error for it.
 * @param {Binding} binding
 * @param {import("../types").Field} field
 * @param {string[]} [error] the path of its error
 */
function follow({ part, names }, field, error) {
  const { fields } = part.root;
  for (const each of error ? [names, error] : [names]) part.onState(() => void fields.due.add(field), each);
  return () => fields.remove(field);
}

/**
 * Refuses an input whose value is not one.
 * @param {any} node
 */
function check(node) {
  if (/^(file|select-multiple)$/.test(node.type)) throw Error(node.type + " cannot be bound yet");
}

/** @type {import("../part.js").Directive} */
export const bind = (node, binding) => {
  check(node);
  const { part, at, names, scopes } = binding;
  const { vmError } = node.dataset;
  const field = part.root.fields.add(node, at, writes(names), { error: vmError && part.reader(vmError) });
  return follow(binding, field, vmError && resolve(parsePath(vmError), scopes));
};

/** @type {import("../part.js").Directive} */
export const field = (node, binding) => {
  check(node);
  const { part, at, names } = binding;
  const showBounds = () => {
    const bounds = at()?.bounds;
    for (const name of BOUNDS) if (has(bounds, name)) setAttribute(node, bounds[name], name);
  };
  part.onState(showBounds, names);
  // The server knows whether the field is touched: until then `error` is null.
  const more = { error: () => at()?.error, touched: true };
  return follow(binding, part.root.fields.add(node, () => at()?.value, writes([...names, "value"]), more));
};
