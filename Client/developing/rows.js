// SPDX-License-Identifier: MIT
// Checks of templates: the list that one stands for, and rows that are never shown.
import { parsePath, resolve } from "../paths.js";
import { attributesOf, say } from "./attributes.js";
import { choice } from "./nearest.js";
import { KEY } from "./schema.js";

/** @typedef {import("./schema.js").Description} Description */

const KIND = "data-vm-kind";

/**
 * The names of the list that a path leads to; undefined where it leads to none.
 * @param {string} path
 * @param {string[][]} scopes
 * @param {Description} description
 * @returns {string[] | undefined}
 */
export function listAt(path, scopes, description) {
  try {
    const names = resolve(parsePath(path), scopes);
    return description.isList(names) ? names : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Says which rows of a template are never shown.
 * @param {HTMLTemplateElement} template
 * @param {string[] | undefined} names the path of its list; undefined without a list
 * @param {Description} description
 */
export function checkRows(template, names, description) {
  const sources = [...template.content.children];
  if (!sources.length) say(template, undefined, "has no element in it; expected one root element for its rows");
  const kinds = names && description.kinds([...names, "items", KEY]);
  /** @type {Set<string | null>} */
  const taken = new Set();
  for (const source of sources) {
    const kind = source.getAttribute(KIND);
    if (taken.has(kind) || taken.has(null)) {
      say(source, kind === null ? undefined : KIND, `is never shown, as the element before it has its rows; expected one root element in the template, or another ${KIND} on each`);
    } else if (kinds && kind !== null && !kinds.includes(kind)) {
      say(source, KIND, `no row is of this kind; ${kinds.length ? choice(kind, kinds) : "the rows have no 'kind'"}`);
    }
    taken.add(kind);
  }
}

/**
 * The path of the rows that an element of a template is for: those of its kind, or else those of the kinds that no other
 * element has.
 * @param {Element} source
 * @param {string[]} names the path of the list
 * @param {Description} description
 */
export function rowsOf(source, names, description) {
  const all = [...names, "items", KEY];
  const known = description.kinds(all) ?? [];
  const kind = source.getAttribute(KIND);
  const others = [.../** @type {DocumentFragment} */ (source.parentNode).children].map((each) => each.getAttribute(KIND));
  const kinds = known.filter((each) => (kind === null ? !others.includes(each) : each === kind));
  return [...names, "items", KEY + kinds.join("|")];
}

/**
 * A mark that an element of a template shares with its rows, as the client copies it with all of its attributes.
 * @param {Element} node
 */
const markOf = (node) => node.localName + attributesOf(node).map(({ name, value }) => ` ${name}=${value}`).join("");

/**
 * The children of an element that stand in the page itself, without the rows of a template before them.
 * @param {Element} node
 */
export function ownChildren(node) {
  /** @type {Set<string>} */
  const marks = new Set();
  return [...node.children].filter((child) => {
    if (child instanceof HTMLTemplateElement) for (const source of child.content.children) marks.add(markOf(source));
    return !marks.has(markOf(child));
  });
}
