// SPDX-License-Identifier: MIT
// Patches (RFC 6902) of a tree that is never changed in place. A patch copies the nodes on its path, each once, and
// shares the rest, so a node that is the same object has not changed. A patch that does not fit is refused whole
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
 * @param {Set<any>} own the copies that the patch has made
 * @returns {any}
 */
function change(node, [name, ...rest], op, value, own) {
  if (name === undefined) {
    if (op === "remove") throw Error(op);
    return value;
  }
  if (rest.length) {
    const before = valueAt(node, [name]);
    value = change(before, rest, op, value, own);
    if (value === before) return node;
    op = "replace";
  }
  const taken = TAKEN[op];
  const isList = Array.isArray(node);
  const index = isList && !taken && name === "-" ? String(node.length) : name;
  const isMember = taken ? has(node, name) : Object(node) === node;
  const isPlace = isList ? index === String(+index >>> 0) && +index <= node.length - taken : isMember;
  if (!isPlace) throw Error(op);
  // An object that belongs to this patch may be changed.
  const next = own.has(node) ? node : isList ? [...node] : { ...node };
  own.add(next);
  if (isList) next.splice(+index, taken, ...(op === "remove" ? [] : [value]));
  else if (op === "remove") delete next[name];
  // An assignment to `__proto__` would set no member.
  else Object.defineProperty(next, name, { value, writable: true, enumerable: true, configurable: true });
  return next;
}

/**
 * @param {any} tree
 * @param {import("./types").Operation} operation
 * @param {Set<any>} own
 */
function applyOne(tree, operation, own) {
  const { op, path, from, value } = operation;
  const names = namesOf(path);
  if (op === "remove" || ((op === "add" || op === "replace") && has(operation, "value"))) return change(tree, names, op, value, own);
  // A part cannot be moved into itself.
  if (op !== "move" || from === undefined || path.startsWith(from + "/")) throw Error(op);
  const moved = valueAt(tree, namesOf(from));
  const rest = change(tree, namesOf(from), from === path ? "replace" : "remove", moved, own);
  return from === path ? tree : change(rest, names, "add", moved, own);
}

/**
 * The tree with a patch applied.
 * @param {any} tree
 * @param {import("./types").Operation[]} patch
 */
export function applyPatch(tree, patch) {
  const own = new Set();
  return patch.reduce((before, operation) => applyOne(before, operation, own), tree);
}
