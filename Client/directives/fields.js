// SPDX-License-Identifier: MIT
// `data-vm-bind` and `data-vm-field`: inputs that are bound both ways.
import { parsePath, resolve } from "../paths.js";
import { writes } from "../targets.js";
import { has } from "../values.js";
import { setAttribute } from "./showing.js";

/**
 * The bounds of a field that its input may have as attributes, for the person and for styles. Nothing else that the
 * server says becomes an attribute.
 */
const BOUNDS = ["required", "minlength", "maxlength", "min", "max", "pattern"];

/**
 * Adds a field, and has it looked at with each state that may have another value or error for it.
 * @param {any} node
 * @param {import("../part.js").Part} part
 * @param {() => any} at
 * @param {string[]} names the path of its value
 * @param {{ error?: () => any, touched?: boolean }} more
 * @param {string[][]} watched the paths of what it depends on
 */
function add(node, part, at, names, more, watched) {
  // The value of such an input is not one.
  if (/^(file|select-multiple)$/.test(node.type)) throw Error(node.type + " cannot be bound yet");
  const { fields } = part.root;
  const field = fields.add(node, at, writes(names), more);
  for (const each of watched) part.onState(() => void fields.due.add(field), each);
  return () => fields.remove(field);
}

/** @type {import("../part.js").Directive} */
export const bind = (node, { part, at, names }) => {
  const { vmError } = node.dataset;
  if (!vmError) return add(node, part, at, names, {}, [names]);
  const watched = [names, resolve(parsePath(vmError), part.scopes)];
  return add(node, part, at, names, { error: () => part.read(vmError) }, watched);
};

/** @type {import("../part.js").Directive} */
export const field = (node, { part, at, names }) => {
  // The server knows whether the field is touched: until then `error` is null.
  const more = { error: () => at()?.error, touched: true };
  const end = add(node, part, () => at()?.value, [...names, "value"], more, [names]);
  const showBounds = () => {
    const bounds = at()?.bounds;
    for (const name of BOUNDS) if (has(bounds, name)) setAttribute(node, bounds[name], name);
  };
  part.onState(showBounds, names);
  return end;
};
