// SPDX-License-Identifier: MIT
// Inputs as they are: the value that one shows, and how another gets into it.
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
 * The value that an input shows as the page begins with it. Text that was typed before there was a session is an edit, so
 * that the markup's own value counts then. A value that a range or a colour shows by itself is none.
 * @param {any} node
 * @param {boolean} isEarly
 */
export function readFirst(node, isEarly) {
  const { type, value, defaultValue = value, defaultChecked } = node;
  const isTyped = (isEarly || node.matches(":focus")) && !/range|color/.test(type);
  return read(isTyped ? { type, value: defaultValue, checked: defaultChecked } : node);
}

/**
 * The relation between an input and the server's value: that value as the input would show it, and the value that is
 * sent of an edit.
 * @param {any} node
 * @param {() => any} at the server's value
 * @returns {{ at: () => any, encode: (shown: any) => any }}
 */
export function adapt(node, at) {
  // Each radio button shows whether the choice is its value; the one that is chosen speaks.
  if (node.type === "radio") return { at: () => at() !== undefined && textOf(at()) === node.value, encode: () => node.value };
  if (node.type !== "date") return { at, encode: (shown) => shown };
  // A day, of a time of the server's in UTC. No day is null where the server has times, and an empty text where it has texts.
  const isText = () => typeof at() === "string" && !at().includes("T");
  const day = () => (at() === undefined ? undefined : textOf(at()).slice(0, "2026-11-23".length));
  return { at: day, encode: (shown) => (shown || isText() ? shown : null) };
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
