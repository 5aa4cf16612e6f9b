// SPDX-License-Identifier: MIT
// Inputs by themselves: the value that one shows, and the writing of another value.
import { attempt } from "./problems.js";
import { mapSelection } from "./selection.js";
import { textOf } from "./values.js";

/**
 * The value that an input shows.
 * @param {{ type: string, checked?: boolean, value: any }} input
 */
export function read({ type, checked, value }) {
  if (/checkbox|radio/.test(type)) return checked;
  // An input of a number without a number shows null, and no text.
  if (/number|range/.test(type)) return value ? +value : null;
  return value;
}

/**
 * The value that counts as shown when the page begins with an input. Text that a person typed before there was
 * a session is an edit, so the markup's own value counts then. A range and a colour show a value by themselves,
 * which is no edit.
 * @param {any} node
 * @param {boolean} isEarly
 */
export function readFirst(node, isEarly) {
  const { type, value, defaultValue = value, defaultChecked } = node;
  const isTyped = (isEarly || node.matches(":focus")) && !/range|color/.test(type);
  return read(isTyped ? { type, value: defaultValue, checked: defaultChecked } : node);
}

/**
 * Whether a person types into an input, or else chooses something, or moves a handle.
 * @param {{ type?: string }} input
 */
export const isTyped = ({ type = "" }) => !/^(checkbox|radio|range|color|select-one)$/.test(type);

/**
 * The relation between an input and the server's value: that value as the input would show it, and the value
 * that an edit sends.
 * @param {any} node
 * @param {() => any} at the server's value
 * @returns {{ at: () => any, encode: (shown: any) => any }}
 */
export function adapt(node, at) {
  // Each radio button shows whether its value is the choice. The chosen one sends its value.
  if (node.type === "radio") return { at: () => at() !== undefined && textOf(at()) === node.value, encode: () => node.value };
  if (node.type !== "date") return { at, encode: (shown) => shown };
  // The input shows the day of a time of the server, in UTC. Without a day it sends null where the server has
  // times, and the empty text where it has texts.
  const isText = () => typeof at() === "string" && !at().includes("T");
  const day = () => (at() === undefined ? undefined : textOf(at()).slice(0, "2026-11-23".length));
  return { at: day, encode: (shown) => (shown || isText() ? shown : null) };
}

/**
 * Writes a value into an input, if its setter takes that. A selection stays where it is in the text.
 * @param {any} node
 * @param {any} value
 */
export function show(node, value) {
  const { value: before, selectionStart, selectionEnd } = node;
  attempt(node, () => (/checkbox|radio/.test(node.type) ? (node.checked = value) : (node.value = textOf(value))));
  if (!node.matches(":focus") || selectionStart == null) return;
  const map = (/** @type {number} */ at) => mapSelection(before, node.value, at);
  node.setSelectionRange(map(selectionStart), map(selectionEnd));
}
