// SPDX-License-Identifier: MIT
// One-way attributes: what a path's value sets. Outside of the part's own object (`../`, `/`) each is looked at anew with every state.
import { refusedName, refusedValue } from "../refusals.js";
import { camel, textOf } from "../values.js";

/** @typedef {import("../part.js").Directive} Directive */

/**
 * A directive that sets something with each state.
 * @param {(node: any, value: any, name: string) => void} set
 * @param {boolean} [isNamed] whether it has the name of what it sets, which may be refused
 * @returns {Directive}
 */
const showing = (set, isNamed) => (node, { part, rest, at, names, scopes }) => {
  if (isNamed && refusedName(camel(rest), node.localName)) throw Error("refused, as it could run code");
  const own = scopes.at(-1) ?? [];
  const isOwn = own.every((name, index) => names[index] === name);
  part.onState((isFresh) => {
    if (isFresh || !isOwn) set(node, at(), rest);
  });
};

export const text = showing((node, value) => {
  const shown = textOf(value);
  // Written only where it changed, so that a live region speaks once.
  if (node.textContent !== shown) node.textContent = shown;
});

export const show = showing((node, value) => (node.hidden = !value));

/** The document's title, and its language: of the root, or of whatever knows them. */
export const title = showing((_, value) => (document.title = textOf(value)));
export const lang = showing((_, value) => (document.documentElement.lang = textOf(value)));

export const className = showing((node, value, name) => node.classList.toggle(name, !!value));

/**
 * Sets a property of a custom element, or of any.
 * @param {any} node
 * @param {any} value
 * @param {string} name
 */
export function setProperty(node, value, name) {
  const property = camel(name);
  if (node[property] !== value && !refusedValue(property, value)) node[property] = value;
}

/**
 * Sets an attribute; null and an absent value remove it. True is the empty text and false removes it, but for `aria-`, where both are words.
 * @param {Element} node
 * @param {any} value
 * @param {string} name
 */
export function setAttribute(node, value, name) {
  const isWord = /^aria-/.test(name) || typeof value !== "boolean";
  const text = isWord ? value : value ? "" : null;
  if (text == null || refusedValue(name, text)) node.removeAttribute(name);
  else node.setAttribute(name, text);
}

export const prop = showing(setProperty, true);
export const attr = showing(setAttribute, true);
