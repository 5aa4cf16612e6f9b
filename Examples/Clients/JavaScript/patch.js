// SPDX-License-Identifier: MIT
// Patches (RFC 6902) with `add`, `remove`, `replace` and `move` alone. Nothing is changed in place.

const names = (path) => path.split("/").slice(1).map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));

/** The state after one operation. */
export function apply(state, { op, path, from, value }) {
  if (op !== "move") return change(state, names(path), op, value);
  const moved = names(from).reduce((node, name) => node[name], state);
  return change(change(state, names(from), "remove"), names(path), "add", moved);
}

function change(node, [name, ...rest], op, value) {
  if (name === undefined) return value;
  if (rest.length) [value, op] = [change(node[name], rest, op, value), "replace"];
  if (Array.isArray(node)) return node.toSpliced(Number(name), op === "add" ? 0 : 1, ...(op === "remove" ? [] : [value]));
  const { [name]: _, ...others } = node;
  return op === "remove" ? others : { ...node, [name]: value };
}
