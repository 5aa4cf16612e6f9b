// SPDX-License-Identifier: MIT
// `data-vm-bind` and `data-vm-field`: the inputs that can be bound, and those for a secret.

/** The end of a sentence about an input that cannot be bound. */
const UNBOUND = "which cannot be bound yet";

/**
 * The fault of an element for an input, whatever it is bound to.
 * @param {any} node
 * @returns {string | undefined}
 */
export function wrongInput({ localName, type }) {
  if (!/^(input|textarea|select)$|-/.test(localName)) return `stands on <${localName}>, which has no value; expected an input, a textarea, a select or a custom element`;
  if (type === "file") return `stands on <input type="file">, ${UNBOUND}`;
  return type === "select-multiple" ? `stands on <select multiple>, ${UNBOUND}` : undefined;
}

/**
 * The fault of an input that has a secret for its value: the tab keeps its edits that are not sent yet.
 * @param {any} node
 * @param {string} kind `bind`, or `field`, whose value is a member of it
 * @param {string[]} names the path of either
 * @param {import("./schema.js").Description} description
 * @returns {string | undefined}
 */
export function wrongSecret({ type }, kind, names, description) {
  const isSecret = description.isSecret(kind === "field" ? [...names, "value"] : names);
  if (type === "password" || !isSecret) return undefined;
  return 'is a secret, and the browser keeps what is typed here without a connection; expected <input type="password">, of which nothing is kept';
}

/**
 * The fault of the choice between two texts.
 * @param {Element} node
 * @param {string} value
 */
export function wrongChoice(node, value) {
  if (!/^(mine|theirs)$/.test(value)) return "is no choice; expected mine or theirs";
  return node.matches("[data-vm-conflict] button") ? undefined : "does nothing here; expected it on a button in an element with data-vm-conflict";
}
