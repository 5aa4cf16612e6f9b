// SPDX-License-Identifier: MIT
// Inputs as they are: what one shows, and how a value gets into it.
import { mapSelection } from "./selection.js";
import { textOf } from "./values.js";

/**
 * The value that an input shows.
 * @param {{ type: string, checked?: boolean, value: any }} input
 */
export function read({ type, checked, value }) {
  if (/checkbox|radio/.test(type)) return checked;
  // A number that is not there is none, and no text.
  if (/number|range/.test(type)) return value ? +value : null;
  return value;
}

/**
 * The value that an input shows as the page begins with it. What was typed before there was a session is an edit, so that the
 * markup's own value counts then; but not what a range or a colour shows by itself.
 * @param {any} node
 * @param {boolean} isEarly
 */
export function readFirst(node, isEarly) {
  const { type, value, defaultValue = value, defaultChecked } = node;
  const isTyped = (isEarly || node.matches(":focus")) && !/range|color/.test(type);
  return read(isTyped ? { type, value: defaultValue, checked: defaultChecked } : node);
}

/**
 * Writes a value into an input. A selection stays where it is in the text.
 * @param {any} node
 * @param {any} value
 */
export function show(node, value) {
  const { value: before, selectionStart, selectionEnd } = node;
  if (/checkbox|radio/.test(node.type)) node.checked = value;
  else node.value = textOf(value);
  if (!node.matches(":focus") || selectionStart == null) return;
  const map = (/** @type {number} */ at) => mapSelection(before, node.value, at);
  node.setSelectionRange(map(selectionStart), map(selectionEnd));
}
