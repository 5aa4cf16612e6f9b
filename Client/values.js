// SPDX-License-Identifier: MIT
// Values of the state: JSON, which nothing here changes in place.

/**
 * Whether an object or an array has a member of its own. A member of a prototype is no value of the state.
 * @param {any} node
 * @param {string} name
 */
export const has = (node, name) => Object(node) === node && Object.hasOwn(node, name);

/**
 * The value below the names; undefined where there is none.
 * @param {any} tree
 * @param {string[]} names
 */
export const valueAt = (tree, names) => names.reduce((node, name) => (has(node, name) ? node[name] : undefined), tree);

/**
 * A value with the parts of an earlier one in the places of those that are equal: they are no news.
 * @param {any} value is changed
 * @param {any} before
 * @returns {any}
 */
export function share(value, before) {
  if (Object(value) !== value || Object(before) !== before) return value;
  let isSame = Array.isArray(value) === Array.isArray(before) && Object.keys(value).length === Object.keys(before).length;
  for (const name in value) {
    const earlier = valueAt(before, [name]);
    value[name] = share(value[name], earlier);
    isSame &&= value[name] === earlier;
  }
  return isSame ? before : value;
}

/**
 * A value as a text; null and an absent one are the empty text.
 * @param {any} value
 */
export const textOf = (value) => String(value ?? "");

/**
 * `some-thing` as `someThing`, as HTML's attributes name JavaScript's members.
 * @param {string} name
 */
export const camel = (name) => name.replace(/-./g, (each) => each[1].toUpperCase());
