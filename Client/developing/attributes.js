// SPDX-License-Identifier: MIT
// The attributes that there are, by the kind of text that stands in them.

/** Attributes whose value is a path of the state, or `=` and a text where that may be. */
export const VALUES = ["text", "bind", "field", "show", "if", "each", "window", "class", "attr", "prop", "error", "confirm", "arg", "event", "title", "lang"];
export const ACTIONS = ["do", "cancel"];
/** Attributes with a value of their own. */
const WORDS = ["root", "at", "params", "debounce", "compose", "kind", "on", "status", "permanent", "retry", "signin", "countdown", "heading", "announce"];
/** Attributes that the client sets. */
export const SIGNS = ["ready", "pending", "refused"];
export const KNOWN = [...VALUES, ...ACTIONS, ...WORDS];
export const TEMPLATES = ["each", "if"];
export const INPUTS = ["bind", "field"];
/** Attributes that have the name of the thing that they set. */
export const NAMED = ["class", "attr", "prop"];
/** Attributes that may have a name behind theirs. */
export const NAMING = [...NAMED, "arg", "params"];
/** The attributes that are heard and found in the whole document. */
export const ANYWHERE = ["announce", "permanent"];
/**
 * The attributes of which one has to stand beside an attribute.
 * @type {Record<string, string[]>}
 */
export const BESIDE = { arg: ACTIONS, confirm: ACTIONS, on: ACTIONS, debounce: INPUTS, compose: INPUTS, error: ["bind"], at: ["root"], params: ["root"] };

/** @typedef {{ kind: string, name: string, rest: string, value: string }} Attribute of `data-vm-KIND-REST` */

/**
 * The attributes of an element that are Euripus', but for those that the client sets.
 * @param {Element} node
 * @returns {Attribute[]}
 */
export const attributesOf = (node) =>
  [...node.attributes].flatMap(({ name, value }) => {
    const [, kind, rest = ""] = /^data-vm-([a-z]+)-?(.*)$/.exec(name) ?? [];
    return kind && !SIGNS.includes(kind) ? [{ kind, name, rest, value }] : [];
  });

/**
 * Names as a list that does not depend on their order.
 * @param {string[]} names
 */
export const list = (names) => names.slice().sort().join(", ");

/**
 * Says something of an attribute, or of an element where it has none.
 * @param {Element} node
 * @param {string | undefined} name
 * @param {string} text
 */
export function say(node, name, text) {
  const what = name ? `${name}="${node.getAttribute(name) ?? ""}"` : `<${node.localName}>`;
  console.error(`Euripus: ${what}: ${text}`, node);
}
