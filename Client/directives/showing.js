// SPDX-License-Identifier: MIT
// One-way attributes, which the value of a path sets. A value outside of the part's own object (`../`, `/`) is
// read anew with every state.
import { goOn } from "../refocus.js";
import { attempt } from "../problems.js";
import { refusedName, refusedValue } from "../refusals.js";
import { camel, textOf } from "../values.js";

/** @typedef {import("../part.js").Directive} Directive */

/**
 * A directive that sets something with each state.
 * @param {(node: any, value: any, name: string) => void} set
 * @returns {Directive}
 */
export const showing = (set) => (node, { part, rest, at, names }) => {
  part.onState(() => set(node, at(), rest), names);
};

/**
 * Sets an element's text if it is another one, so that a live region speaks once.
 * @param {Node} node
 * @param {any} value
 */
export function setText(node, value) {
  const text = textOf(value);
  if (node.textContent !== text) node.textContent = text;
}

export const text = showing(setText);

export const show = showing((node, value) => {
  // The focus of a part that is hidden goes on, as that of a row that goes.
  const hadFocus = !value && !node.hidden && node.contains(document.activeElement);
  node.hidden = !value;
  // Another part may be shown by the same state.
  if (hadFocus) queueMicrotask(() => goOn(node));
});

/**
 * Sets an attribute. Null and an absent value remove it. True sets the empty text and false removes the
 * attribute, but in `aria-` attributes both are words.
 * @param {Element} node
 * @param {any} value
 * @param {string} name
 */
export function setAttribute(node, value, name) {
  const isWord = /^aria-/.test(name) || typeof value !== "boolean";
  const text = isWord ? value : value ? "" : null;
  if (text == null || refusedValue(name, text)) node.removeAttribute(name);
  // An attribute that loads something, such as a frame's address, is to do so once.
  else if (node.getAttribute(name) !== String(text)) node.setAttribute(name, text);
}

/**
 * @param {any} node
 * @param {any} value
 * @param {string} name as the attribute has it
 */
function setProperty(node, value, name) {
  const property = camel(name);
  if (node[property] === value || refusedValue(property, value)) return;
  attempt(node, () => (node[property] = value));
}

/**
 * A directive whose attribute names the thing that it sets.
 * @param {(node: any, value: any, name: string) => void} set
 * @param {(name: string, element: string) => boolean} [isRefused]
 * @returns {Directive}
 */
const named = (set, isRefused) => (node, binding) => {
  if (!binding.rest) throw Error("no name");
  if (isRefused?.(camel(binding.rest), node.localName)) throw Error("refused, as it could run code");
  return showing(set)(node, binding);
};

export const className = named((node, value, name) => node.classList.toggle(name, !!value));
export const attr = named(setAttribute, refusedName);
export const prop = named(setProperty, refusedName);

/** The language of the document. */
export const lang = showing((_, value) => (document.documentElement.lang = textOf(value)));
