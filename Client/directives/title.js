// SPDX-License-Identifier: MIT
// `data-vm-title`: the title of the document. Among several elements with a title the last one counts, as it is
// of the page that was opened last.
import { textOf } from "../values.js";

/**
 * The readers of the titles, by the elements that have one.
 * @type {Map<Node, () => any>}
 */
const titles = new Map();

/** The title that the document has by itself. */
const own = document.title;

/** @param {import("../root.js").Root} root */
function show({ place, address }) {
  // The browser's address changes first, so that the entry of the history that is left keeps its title.
  if (place !== undefined && address !== undefined && place !== address) return;
  const texts = [...document.querySelectorAll("[data-vm-title]")].map((node) => textOf(titles.get(node)?.()));
  document.title = texts.filter(Boolean).at(-1) ?? own;
}

/** @type {import("../part.js").Directive} */
export const title = (node, { part, at }) => {
  titles.set(node, at);
  part.onState(() => show(part.root));
  return () => {
    titles.delete(node);
    show(part.root);
  };
};
