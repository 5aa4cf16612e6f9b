// SPDX-License-Identifier: MIT
// Patches (RFC 6902) of a tree that is never changed in place. A patch copies the nodes on its path and shares
// the rest, so a node that is the same object has not changed. A patch that does not fit is refused whole
// (CLIENT.md, M5).
import { namesOf } from "./paths.js";
import { has, valueAt } from "./values.js";

/**
 * The number of elements that an operation takes from a list.
 * @type {Record<string, number>}
 */
const TAKEN = { add: 0, remove: 1, replace: 1 };

/**
 * The node after an operation below it. A node that is changed deep down goes up as a replacement at each step,
 * so only the last name meets the operation.
 * @param {any} node
 * @param {string[]} names
 * @param {string} op
 * @param {any} value
 * @returns {any}
 */
function change(node, [name, ...rest], op, value) {
  if (name === undefined) {
    if (op === "remove") throw Error(op);
    return value;
  }
  if (rest.length) {
    value = change(valueAt(node, [name]), rest, op, value);
    op = "replace";
  }
  const taken = TAKEN[op];
  if (Array.isArray(node)) {
    const index = taken === 0 && name === "-" ? String(node.length) : name;
    if (index !== String(+index >>> 0) || +index > node.length - taken) throw Error(op);
    const next = [...node];
    next.splice(+index, taken, ...(op === "remove" ? [] : [value]));
    return next;
  }
  if (taken ? !has(node, name) : Object(node) !== node) throw Error(op);
  const next = { ...node, [name]: value };
  if (op === "remove") delete next[name];
  return next;
}

/**
 * @param {any} tree
 * @param {import("./types").Operation} operation
 */
function applyOne(tree, operation) {
  const { op, path, from, value } = operation;
  const names = namesOf(path);
  if (op === "remove" || ((op === "add" || op === "replace") && has(operation, "value"))) return change(tree, names, op, value);
  // A part cannot be moved into itself.
  if (op !== "move" || from === undefined || path.startsWith(from + "/")) throw Error(op);
  const moved = valueAt(tree, namesOf(from));
  const rest = change(tree, namesOf(from), from === path ? "replace" : "remove", moved);
  return from === path ? tree : change(rest, names, "add", moved);
}

/**
 * The tree with a patch applied.
 * @param {any} tree
 * @param {import("./types").Operation[]} patch
 */
export const applyPatch = (tree, patch) => patch.reduce(applyOne, tree);
