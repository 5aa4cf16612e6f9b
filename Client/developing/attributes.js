// SPDX-License-Identifier: MIT
// The attributes of Euripus, by the kind of text in them.

/** Attributes whose value is a path of the state. */
export const VALUES = ["text", "bind", "field", "show", "if", "each", "window", "class", "attr", "prop", "error", "confirm", "arg", "event", "title", "lang", "conflict", "upload"];
/** Those of them whose value may also be `=` and a text. */
export const TEXTS = ["confirm", "arg"];
export const ACTIONS = ["do", "cancel"];
/** Attributes with a value of their own. */
const WORDS = ["root", "at", "params", "debounce", "compose", "kind", "on", "status", "permanent", "retry", "signin", "countdown", "heading", "announce", "wire", "choose", "invited", "preview", "waiting", "lost"];
/** Attributes that the client sets. */
export const SIGNS = ["ready", "pending", "refused", "invitation", "over"];
export const KNOWN = [...VALUES, ...ACTIONS, ...WORDS];
export const TEMPLATES = ["each", "if"];
export const INPUTS = ["bind", "field"];
/** Attributes that have the name of the thing that they set. */
export const NAMED = ["class", "attr", "prop"];
/** Attributes that may have a name behind theirs. */
export const NAMING = [...NAMED, "arg", "params"];
/** Attributes that the client finds in the whole document, outside of roots too. */
export const ANYWHERE = ["announce", "permanent", "wire"];
/**
 * For an attribute: the attributes of which one has to stand beside it.
 * @type {Record<string, string[]>}
 */
export const BESIDE = { arg: ACTIONS, confirm: ACTIONS, on: ACTIONS, debounce: INPUTS, compose: INPUTS, error: ["bind"], at: ["root"], params: ["root"], invited: ["root"] };

/** @typedef {{ kind: string, name: string, rest: string, value: string }} Attribute of `data-vm-KIND-REST` */

/**
 * The attributes of Euripus that an element has, without those that the client sets.
 * @param {Element} node
 * @returns {Attribute[]}
 */
export const attributesOf = (node) =>
  [...node.attributes].flatMap(({ name, value }) => {
    const [, kind, rest = ""] = /^data-vm-([a-z]+)-?(.*)$/.exec(name) ?? [];
    return kind && !SIGNS.includes(kind) ? [{ kind, name, rest, value }] : [];
  });

/**
 * The names as a text. They are sorted, so that it does not depend on their order.
 * @param {string[]} names
 */
export const list = (names) => names.slice().sort().join(", ");

/**
 * Says something in the console about an attribute; without a name, about the element.
 * @param {Element} node
 * @param {string | undefined} name
 * @param {string} text
 */
export function say(node, name, text) {
  const what = name ? `${name}="${node.getAttribute(name) ?? ""}"` : `<${node.localName}>`;
  console.error(`Euripus: ${what}: ${text}`, node);
}
