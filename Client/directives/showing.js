// SPDX-License-Identifier: MIT
// One-way attributes, which the value of a path sets. A value outside of the part's own object (`../`, `/`) is
// read anew with every state.
import { later } from "./later.js";
import { load } from "../loading.js";
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
  if (hadFocus) load("refocus", ({ goOn }) => goOn(node));
});

export const className = showing((node, value, name) => node.classList.toggle(name, !!value));

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
 * A directive whose attribute names the thing that it sets. Some names are refused.
 * @param {Directive} directive
 * @returns {Directive}
 */
const named = (directive) => (node, binding) => {
  if (refusedName(camel(binding.rest), node.localName)) throw Error("refused, as it could run code");
  return directive(node, binding);
};

export const attr = named(showing(setAttribute));
export const prop = named(later("property"));
