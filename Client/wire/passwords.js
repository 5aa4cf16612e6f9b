// SPDX-License-Identifier: MIT
// The places of the state that password fields are bound to.
import { parsePath } from "../paths.js";

/**
 * The password fields of a page.
 * @param {ParentNode} page
 * @returns {HTMLInputElement[]}
 */
export const passwordsOf = (page) => [...page.querySelectorAll("input")].filter(({ type }) => type === "password");

/**
 * Tells of a place whether one of these fields is bound to it. A field of a row counts for the rows of all lists.
 * @param {HTMLInputElement[]} fields
 * @returns {(at: string[]) => boolean}
 */
export function boundTo(fields) {
  const paths = fields.flatMap(({ dataset: { vmBind, vmField } }) => [...parsed(vmBind), ...parsed(vmField, "value")]);
  return (at) => paths.some(({ start, names }) => {
    const length = at.length - names.length;
    const isEnd = names.every((name, index) => at[length + index] === name);
    return isEnd && (start === "/" ? length === 0 : isScope(at.slice(0, length)));
  });
}

/**
 * Whether a path without `/` at its start may begin at a place: at the state's root, or at a row of a list.
 * @param {string[]} names
 */
const isScope = (names) => !names.length || names.at(-2) === "items";

/**
 * The path of an attribute, in a list: none where there is no attribute, or a faulty one, which the client ignores.
 * @param {string | undefined} text
 * @param {string[]} below the names below that path
 */
function parsed(text, ...below) {
  try {
    const { start, names } = parsePath(text ?? "");
    return [{ start, names: [...names, ...below] }];
  } catch {
    return [];
  }
}
